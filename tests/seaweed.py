"""A real SeaweedFS as infra/seaweedfs sets it up, on free ports, and requests to it signed by hand."""

import datetime
import hashlib
import hmac
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INFRA = ROOT / "infra/seaweedfs"
# Below the ports of outgoing connections even with the 10,000 that SeaweedFS adds for gRPC; the crates' tests use those up to 22,000.
PORTS = range(22_000, 22_500, 5)


def weed():
    return os.environ.get("NABSAK_WEED") or Path(sys.executable).parent / "weed"


def free(first):
    """Whether four ports and their gRPC twins are free."""
    for port in [first + nth + twin for nth in range(4) for twin in (0, 10_000)]:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


class Server:
    """Identities by identities.sh, options by weed.options; only the folder and the ports are others."""

    def __init__(self):
        self.place = Path(tempfile.mkdtemp(prefix="nabsak-weed-"))
        self.first = next(first for first in PORTS if free(first))
        (self.place / "data").mkdir()
        subprocess.run(["sh", INFRA / "identities.sh", self.place, self.address()], check=True, stdout=subprocess.DEVNULL)
        self.log = open(self.place / "weed.log", "wb")
        ports = {"s3.port": 0, "master.port": 1, "volume.port": 2, "filer.port": 3}
        self.child = subprocess.Popen(
            [weed(), "server", f"-options={INFRA / 'weed.options'}", f"-dir={self.place / 'data'}", f"-s3.config={self.place / 's3.json'}",
             "-volume.minFreeSpace=1", *(f"-{name}={self.first + nth}" for name, nth in ports.items())],
            cwd=self.place, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        try:
            self.wait()
            for bucket in ("archives", "results"):
                self.shell(f"s3.bucket.create -name {bucket}")
        except BaseException:
            self.stop()
            raise

    def address(self):
        return f"http://127.0.0.1:{self.first}"

    def wait(self):
        begun = time.monotonic()
        while time.monotonic() - begun < 90:
            assert self.child.poll() is None, (self.place / "weed.log").read_text(errors="replace")
            try:
                if self.request("admin", "GET", "/")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.2)
        raise AssertionError("weed did not come up:\n" + (self.place / "weed.log").read_text(errors="replace")[-3000:])

    def shell(self, command):
        subprocess.run([weed(), "shell", f"-master=127.0.0.1:{self.first + 1}", f"-filer=127.0.0.1:{self.first + 3}"], input=command + "\nexit\n",
                       text=True, check=True, capture_output=True, timeout=60)

    def keys(self, name):
        """The environment of an identity, as its file says."""
        return dict(line.split("=", 1) for line in (self.place / f"{name}.env").read_text("utf-8").splitlines())

    def environment(self, name):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("AWS_")}
        return {**kept, **self.keys(name), "AWS_EC2_METADATA_DISABLED": "true"}

    def request(self, name, method, path, body=b"", headers=None):
        """Status and body of a request signed for an identity (signature version 4), or of one that is not signed at all."""
        where, _, query = path.partition("?")
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body).hexdigest()
        signed = {"host": f"127.0.0.1:{self.first}", "x-amz-content-sha256": digest, "x-amz-date": now}
        sent = dict(headers or {})
        if name:
            keys = self.keys(name)
            names = ";".join(sorted(signed))
            lines = "".join(f"{key}:{signed[key]}\n" for key in sorted(signed))
            canonical = "\n".join([method, urllib.parse.quote(where), query, lines, names, digest])
            scope = f"{now[:8]}/us-east-1/s3/aws4_request"
            text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
            key = f"AWS4{keys['AWS_SECRET_ACCESS_KEY']}".encode()
            for part in [*scope.split("/"), text]:
                key = hmac.digest(key, part.encode(), "sha256")
            sent["Authorization"] = f"AWS4-HMAC-SHA256 Credential={keys['AWS_ACCESS_KEY_ID']}/{scope}, SignedHeaders={names}, Signature={key.hex()}"
            sent.update({key: value for key, value in signed.items() if key != "host"})
        request = urllib.request.Request(self.address() + path, data=body or None, headers=sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def names(self, bucket):
        status, body = self.request("admin", "GET", f"/{bucket}?list-type=2")
        assert status == 200, body
        return re.findall(r"<Key>([^<]*)</Key>", body.decode())

    def stop(self):
        self.child.kill()
        self.child.wait()
        self.log.close()
        shutil.rmtree(self.place, ignore_errors=True)


class OnServer(unittest.TestCase):
    """Tests with one server among them, and two archives on it."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        for name in ("defects.pgn", "korat-open.pgn"):
            status, said = cls.server.request("admin", "PUT", f"/archives/{name}", (ROOT / "demo" / name).read_bytes())
            assert status == 200, said

    def nabsak(self, identity, *words, **more):
        env = {**self.server.environment(identity), **more}
        done = subprocess.run([os.environ["NABSAK_BIN"], *map(str, words)], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    def job(self, output="s3://results/nightly"):
        """The job of infra/kubernetes, with another place."""
        return [ROOT / "infra/kubernetes/base/nightly.toml", "--set", "input.archives=[\"s3://archives\"]", "--set", f"output.dir={output}",
                "--set", "analysis.nodes=50"]
