"""Brings what the tests need: wheels into a virtual environment, Debian packages by apt-get.

Everything lies in one cache folder outside the checkout, so that a second run finds it. Nothing needs root: without it
Debian packages are downloaded and unpacked into the cache instead of being installed.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"

CHROMIUM_PACKAGES = ["chromium", "chromium-common", "chromium-driver", "fonts-thai-tlwg"]


class Missing(Exception):
    """A part that could not be brought; the message says what and why."""


def cache_folder():
    """Where the parts lie. `crates/store/src/testing/seaweed.rs` looks in the same place: change both."""
    named = os.environ.get("NABSAK_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "nabsak"


def say(text):
    print(f"== {text}", flush=True)


def run(command, **options):
    """Runs a command and raises Missing with its last words if it fails."""
    done = subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode != 0:
        last = "\n".join(done.stdout.splitlines()[-15:])
        raise Missing(f"`{' '.join(map(str, command))}` failed ({done.returncode}):\n{last}")
    return done.stdout


class Parts:
    """The parts of one cache folder."""

    def __init__(self):
        self.cache = cache_folder()
        self.cache.mkdir(parents=True, exist_ok=True)
        self.debian = Debian(self.cache)

    def bring(self):
        """Brings all that the sources ask for, and gives the environment that tells the tests where it is."""
        with self.alone():
            venv = self.wheels("venv", TOOLS / "requirements.txt")
            env = {
                "NABSAK_CACHE": self.cache,
                "NABSAK_PYTHON": venv / "bin/python",
                "NABSAK_WEED": os.environ.get("NABSAK_WEED") or venv / "bin/weed",
            }
            for name, bring in [
                ("NABSAK_FAIRY_STOCKFISH", self.fairy_stockfish),
                ("NABSAK_FAKETIME", self.faketime),
                ("NABSAK_CHROMIUM", self.chromium),
                ("NABSAK_CHROMEDRIVER", self.chromedriver),
                ("NABSAK_DATACONTRACT", self.datacontract),
            ]:
                if os.environ.get(name):
                    env[name] = os.environ[name]
                elif asked_for(name):
                    env[name] = bring()
        for name, path in env.items():
            if not Path(path).exists():
                raise Missing(f"{name} is {path}, which is not there")
        return {name: str(path) for name, path in env.items()}

    @contextlib.contextmanager
    def alone(self):
        """Two runs at once do not install into each other."""
        with open(self.cache / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def tool(self, name):
        return self.cache / "venv/bin" / name

    def wheels(self, name, requirements):
        """A virtual environment with the pinned wheels; made anew when they or Python change."""
        venv = self.cache / name
        stamp = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
        marker = venv / "installed"
        if marker.exists() and marker.read_text() == stamp:
            return venv
        say(f"installing {requirements.name} into {venv}")
        shutil.rmtree(venv, ignore_errors=True)
        pip = self.make_venv(venv)
        run([*pip["command"], "install", "--disable-pip-version-check", "--no-input", "-q", "-r", requirements],
            env={**os.environ, **pip["env"]})
        marker.write_text(stamp)
        return venv

    def make_venv(self, venv):
        """A fresh environment and a way to run pip in it. Debian's python3 comes without ensurepip; then the wheel of
        its pip package does."""
        python = venv / "bin/python"
        try:
            run([sys.executable, "-m", "venv", venv])
            return {"command": [python, "-m", "pip"], "env": {}}
        except Missing:
            shutil.rmtree(venv, ignore_errors=True)
        run([sys.executable, "-m", "venv", "--without-pip", venv])
        unpacked = self.debian.unpack(["python3-pip-whl"])
        wheels = sorted((unpacked / "usr/share/python-wheels").glob("pip-*.whl"))
        if not wheels:
            raise Missing("Python has no ensurepip and Debian's python3-pip-whl has no wheel: install python3-venv")
        return {"command": [python, "-m", "pip"], "env": {"PYTHONPATH": str(wheels[-1])}}

    def fairy_stockfish(self):
        return self.debian.program("fairy-stockfish", ["fairy-stockfish"])

    def faketime(self):
        """The tests load the library that lies beside the program."""
        return self.debian.program("faketime", ["faketime", "libfaketime"])

    def chromium(self):
        return self.debian.program("chromium", CHROMIUM_PACKAGES)

    def chromedriver(self):
        return self.debian.program("chromedriver", CHROMIUM_PACKAGES)

    def datacontract(self):
        return self.wheels("contracts", TOOLS / "requirements-contracts.txt") / "bin/datacontract"


class Debian:
    """Programs of Debian packages, installed where we are root and unpacked where we are not."""

    def __init__(self, cache):
        self.root = cache / "debian"
        self.archives = cache / "apt"
        self.wrappers = cache / "bin"

    def program(self, name, packages):
        """The path of a program, bringing the packages if need be."""
        found = self.installed(name) or self.wrapped(name)
        if found:
            return found
        if not shutil.which("apt-get"):
            raise Missing(f"{name} is not installed and there is no apt-get: install {' '.join(packages)} or set "
                          f"NABSAK_{name.upper().replace('-', '_')}")
        if os.geteuid() == 0 and not os.environ.get("NABSAK_UNPACK"):
            say(f"apt-get install {' '.join(packages)}")
            self.install(packages)
            found = self.installed(name)
        else:
            say(f"unpacking {' '.join(packages)} into {self.root}")
            self.unpack(self.missing(packages))
            found = self.wrap(name)
        if not found:
            raise Missing(f"the packages {' '.join(packages)} hold no program {name}")
        return found

    @staticmethod
    def installed(name):
        if os.environ.get("NABSAK_UNPACK"):
            return None
        found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/games")
        return Path(found) if found else None

    def wrapped(self, name):
        path = self.wrappers / name
        return path if path.exists() else None

    def install(self, packages):
        command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        try:
            run(command, env=env)
        except Missing:
            # The lists of a fresh or an old machine know no such package.
            run(["apt-get", "update"], env=env)
            run(command, env=env)

    def missing(self, packages):
        """The packages, and those they depend on that this machine has not got."""
        plan = self.apt("install", "-s", "--no-install-recommends", *packages)
        needed = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
        return sorted({*packages, *needed})

    def unpack(self, packages):
        """Downloads packages and unpacks them below `root`."""
        self.archives.mkdir(parents=True, exist_ok=True)
        for old in self.archives.glob("*.deb"):
            old.unlink()
        self.apt("download", *packages)
        self.root.mkdir(parents=True, exist_ok=True)
        for package in sorted(self.archives.glob("*.deb")):
            run(["dpkg", "-x", package, self.root])
            package.unlink()
        return self.root

    def apt(self, *words):
        """apt-get without root; where the machine has no package lists, with lists of our own."""
        own = []
        for kind, folder in [("State::Lists", "lists"), ("Cache", "cache")]:
            own += ["-o", f"Dir::{kind}={self.archives / folder}"]
        self.archives.mkdir(parents=True, exist_ok=True)
        try:
            return run(["apt-get", *words], cwd=self.archives)
        except Missing:
            for folder in ["lists/partial", "cache/archives/partial"]:
                (self.archives / folder).mkdir(parents=True, exist_ok=True)
            run(["apt-get", *own, "update"], cwd=self.archives)
            return run(["apt-get", *own, *words], cwd=self.archives)

    def wrap(self, name):
        """A script that starts an unpacked program with the libraries unpacked beside it."""
        places = ["usr/bin", "usr/games", "usr/sbin"]
        found = next((self.root / place / name for place in places if (self.root / place / name).exists()), None)
        if not found:
            return None
        # Debian's chromium is a script that looks for itself in /usr.
        real = self.root / "usr/lib" / name / name
        program = real if real.exists() else found
        libraries = ":".join(str(self.root / place) for place in [
            "usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib/aarch64-linux-gnu"])
        self.wrappers.mkdir(parents=True, exist_ok=True)
        wrapper = self.wrappers / name
        wrapper.write_text(
            "#!/bin/sh\n"
            f'LD_LIBRARY_PATH="{libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" '
            f'XDG_DATA_DIRS="{self.root}/usr/share:${{XDG_DATA_DIRS:-/usr/local/share:/usr/share}}" '
            f'exec "{program}" "$@"\n')
        wrapper.chmod(0o755)
        return wrapper


def asked_for(variable):
    """Whether any test or crate reads this variable, so that a part nobody uses is not brought."""
    for folder in [ROOT / "crates", ROOT / "tests"]:
        for path in folder.rglob("*"):
            if path.suffix in {".rs", ".py"} and variable in path.read_text(errors="replace"):
                return True
    return False
