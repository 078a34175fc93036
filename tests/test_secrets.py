"""Secrets are in no file of the repository, and what a run is given of them in its environment is in nothing that it says or writes."""

import io
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import pyarrow.parquet

import seaweed

ROOT = seaweed.ROOT
# The form of an access key or of a private key, or a value behind a name that means a secret.
SECRET = re.compile(
    rb"\b(AKIA|ASIA)[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----|"
    rb"(?i:secret|password|passwd|token|api_?key)[A-Za-z_]*[\"']?\s*[:=]\s*[\"']?[A-Za-z0-9+/]{16,}")
# Keys of servers that live as long as a test, and a name of AWS's own for where a token lies.
KNOWN = re.compile(rb"testsecret123|AWS_WEB_IDENTITY_TOKEN_FILE")
TOKEN = "a-session-token-that-must-not-be-told-0123456789"


def files():
    """What git has or would take; without git, all that is not made."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not {"target", "out", ".git", ".venv"} & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


class Repository(unittest.TestCase):
    def test_no_file_holds_a_secret(self):
        found = files()
        self.assertGreater(len(found), 300)
        told = {}
        for path in found:
            hits = [hit for hit in SECRET.finditer(path.read_bytes()) if not KNOWN.search(hit[0])]
            if hits:
                told[str(path.relative_to(ROOT))] = [hit[0][:20] for hit in hits[:3]]
        self.assertEqual(told, {})

    def test_the_search_finds_secrets(self):
        for secret in [b"AK" + b"IAABCDEFGHIJKLMNOP", b"-----BEGIN RSA PRIV" + b"ATE KEY-----", b"secret_key = \"abcdefgh" + b"ijklmnop1234\"",
                       b'{"secretKey": "0123456789' + b'abcdef0123456789"}']:
            self.assertIsNotNone(SECRET.search(secret), secret)


class Runs(seaweed.OnServer):
    """Each test makes one run or more, and looks through all that came of it."""

    def said(self, *words, code=0, identity="nabsak", **more):
        got, out, err = self.nabsak(identity, *words, **more)
        self.assertEqual(got, code, err[-2000:])
        return (out + err).encode()

    def written(self, prefix):
        """Every object below a prefix of the results; of a Parquet file its cells and its words about itself too."""
        for name in self.server.names("results"):
            if name.startswith(prefix):
                status, body = self.server.request("admin", "GET", f"/results/{name}")
                self.assertEqual(status, 200, name)
                yield name, body
                if name.endswith(".parquet"):
                    table = pyarrow.parquet.read_table(io.BytesIO(body))
                    yield name, repr((table.to_pylist(), table.schema.metadata)).encode()

    def keys(self, identity="nabsak"):
        keys = self.server.keys(identity)
        return keys["AWS_ACCESS_KEY_ID"].encode(), keys["AWS_SECRET_ACCESS_KEY"].encode()

    def test_a_run_tells_and_writes_no_key(self):
        key, secret = self.keys()
        with tempfile.TemporaryDirectory() as place:
            metrics = Path(place) / "metrics.prom"
            words = ["run", *self.job("s3://results/secrets"), "--set", f"run.metrics={metrics}"]
            for text in [self.said(*words, "--log", "json"), metrics.read_bytes()]:
                self.assertNotIn(key, text)
                self.assertNotIn(secret, text)
        count = 0
        for name, body in self.written("secrets/"):
            count += 1
            self.assertNotIn(key, body, name)
            self.assertNotIn(secret, body, name)
        self.assertGreater(count, 30, "tables, receipts, commits and the page")

    def test_an_array_writes_no_key_into_its_manifest(self):
        key, secret = self.keys()
        job = self.job("s3://results/array")
        plan = self.said("plan", *job, "--stage", "index", "--log", "json")
        manifest = re.search(rb"manifest=(\S+)", plan)[1].decode()
        task = self.said("task", manifest, "--index", "0", "--stride", "1", "--log", "json")
        commit = self.said("commit", *job, code=4)
        written = list(self.written("array/"))
        self.assertTrue([name for name, _ in written if "/_nabsak/plans/" in name])
        for name, text in [("plan", plan), ("task", task), ("commit", commit), *written]:
            self.assertNotIn(key, text, name)
            self.assertNotIn(secret, text, name)

    def test_the_most_talkative_log_tells_no_secret(self):
        # At `trace` the client of S3 tells every request, with the id of the key that signed it. The secret half stays unsaid.
        _, secret = self.keys()
        text = self.said("run", *self.job("s3://results/trace"), "--log", "json", "--log-level", "trace")
        self.assertGreater(text.count(b"\n"), 1000, "it is talkative")
        self.assertNotIn(secret, text)

    def test_what_goes_wrong_tells_no_secret(self):
        for wrong in [{"AWS_SECRET_ACCESS_KEY": "a-wrong-one-that-must-not-be-told"}, {"AWS_SESSION_TOKEN": TOKEN},
                      {"AWS_ACCESS_KEY_ID": "nobody-has-this-key"}]:
            text = self.said("run", *self.job("s3://results/wrong"), "--log", "json", code=5, **wrong)
            for hidden in [self.keys()[1], b"a-wrong-one-that-must-not-be-told", TOKEN.encode()]:
                self.assertNotIn(hidden, text, wrong)


if __name__ == "__main__":
    unittest.main()
