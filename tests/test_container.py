"""The file of the image: linted, and held to what the page promises. Building it needs a registry; infra/container/try-local.sh does without."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "infra/container/Containerfile"


def lint(path):
    tool = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([tool, "--no-color", path], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def instructions(text):
    """(NAME, rest) of each instruction, continued lines joined, comments left out."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines)
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


class Containerfile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = FILE.read_text("utf-8")
        cls.all = instructions(cls.text)

    def of(self, name):
        return [rest for what, rest in self.all if what == name]

    def test_the_linter_has_nothing_to_say(self):
        self.assertEqual(lint(FILE), (0, ""))

    def test_the_linter_finds_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as place:
            wrong = Path(place) / "Containerfile"
            wrong.write_text(self.text.replace("FROM scratch", "FROM debian:latest"), "utf-8")
            self.assertNotEqual(lint(wrong)[0], 0)

    def test_what_it_stands_on_is_named_to_the_release(self):
        self.assertEqual(self.of("FROM"), ["${BUILDER} AS build", "scratch"])
        builder = self.of("ARG")[0]
        self.assertRegex(builder, r"^BUILDER=docker\.io/library/rust:\d+\.\d+\.\d+-slim-bookworm$")
        # The compiler is the one that the project asks for.
        wanted = re.search(r'rust-version = "([\d.]+)"', (ROOT / "Cargo.toml").read_text("utf-8"))[1]
        self.assertIn(f"rust:{wanted}.", builder)

    def test_it_runs_as_a_number_that_is_not_root(self):
        self.assertEqual(self.of("USER"), ["10001:10001"])
        after = [name for name, _ in self.all[[name for name, _ in self.all].index("USER"):]]
        self.assertEqual(after, ["USER", "ENTRYPOINT", "CMD"])

    def test_nothing_is_fetched_and_no_secret_is_given(self):
        self.assertEqual(self.of("ADD"), [])
        for word in ("curl", "wget", "apt-get", "http://", "https://"):
            self.assertNotIn(word, self.text)
        self.assertEqual([rest.split("=")[0] for rest in self.of("ENV")], ["SSL_CERT_FILE"])
        self.assertEqual([rest.split("=")[0] for rest in self.of("ARG")], ["BUILDER"])

    def test_the_build_is_locked_and_full(self):
        self.assertIn("cargo build --release --locked --features full --bins", self.of("RUN"))

    def test_only_what_is_built_from_goes_in(self):
        lines = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"]
        self.assertEqual(lines[0], "*")
        for line in lines[1:]:
            if line.startswith("!"):
                self.assertTrue(list(ROOT.glob(line[1:])), f"{line} is not there")
        # What the workspace and the second RUN read.
        for needed in ("!Cargo.toml", "!Cargo.lock", "!crates", "!jobs/*.toml", "!LICENSE-APACHE", "!LICENSE-MIT"):
            self.assertIn(needed, lines)


if __name__ == "__main__":
    unittest.main()
