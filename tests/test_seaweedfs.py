"""The set-up of infra/seaweedfs with a real SeaweedFS: create-only writes hold, and each identity may do what the page says and no more."""

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

import seaweed

INFRA = seaweed.INFRA


class Rights(seaweed.OnServer):
    def test_the_program_reads_archives_and_writes_results(self):
        code, out, err = self.nabsak("nabsak", "run", *self.job())
        self.assertEqual(code, 0, err)
        self.assertIn("s3://results/nightly/report.html", out)
        self.assertIn("nightly/report.html", self.server.names("results"))
        code, out, err = self.nabsak("nabsak", "run", *self.job())
        self.assertEqual((code, "nothing new" in out), (0, True), out + err)
        self.assertEqual(self.server.request("reader", "GET", "/results/nightly/views.sql")[0], 200)
        code, out, err = self.nabsak("reader", "report", "s3://results/nightly")
        self.assertEqual(code, 0, err)

    def test_the_program_cannot_write_among_the_archives(self):
        code, _, err = self.nabsak("nabsak", "run", *self.job("s3://archives/nightly"))
        self.assertEqual(code, 5, err)
        self.assertRegex(err, "(?i)denied|may not|rights")
        for method, path in [("PUT", "/archives/defects.pgn"), ("DELETE", "/archives/defects.pgn"), ("PUT", "/archives/new.pgn")]:
            self.assertEqual(self.server.request("nabsak", method, path, b"x" if method == "PUT" else b"")[0], 403, (method, path))
        self.assertEqual(self.server.names("archives"), ["defects.pgn", "korat-open.pgn"])

    def test_others_may_less(self):
        self.assertEqual(self.server.request("reader", "PUT", "/results/nightly/x", b"x")[0], 403)
        self.assertEqual(self.server.request("reader", "GET", "/archives/defects.pgn")[0], 403)
        code, _, err = self.nabsak("reader", "run", *self.job("s3://results/reader"))
        self.assertEqual(code, 5, err)
        self.assertEqual(self.server.request(None, "GET", "/archives/defects.pgn")[0], 403)
        self.assertEqual(self.server.request(None, "PUT", "/results/x", b"x")[0], 403)

    def test_what_is_created_once_stays(self):
        only_new = {"If-None-Match": "*"}
        self.assertEqual(self.server.request("nabsak", "PUT", "/results/once", b"first", only_new)[0], 200)
        self.assertEqual(self.server.request("nabsak", "PUT", "/results/once", b"second", only_new)[0], 412)
        self.assertEqual(self.server.request("nabsak", "GET", "/results/once"), (200, b"first"))

    def test_no_bucket_is_made_by_writing(self):
        self.assertIn(self.server.request("nabsak", "PUT", "/other/x", b"x")[0], (403, 404))


class Files(unittest.TestCase):
    def test_keys_are_of_chance_and_for_their_owner_only(self):
        keys = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as place:
                done = subprocess.run(["sh", INFRA / "identities.sh", place], capture_output=True, text=True, check=True)
                found = re.findall(r'"(?:accessKey|secretKey)": "([0-9a-f]+)"', (Path(place) / "s3.json").read_text("utf-8"))
                self.assertEqual([len(key) for key in found], [20, 48] * 3)
                self.assertFalse([key for key in found if key in done.stdout + done.stderr])
                json.loads((Path(place) / "s3.json").read_text("utf-8"))
                self.assertEqual({path.stat().st_mode & 0o777 for path in Path(place).iterdir()}, {0o600})
                again = subprocess.run(["sh", INFRA / "identities.sh", place], capture_output=True, check=False)
                self.assertNotEqual(again.returncode, 0, "keys in use are not replaced")
                keys += found
        self.assertEqual(len(set(keys)), 12)

    def test_nothing_without_passwords_leaves_the_machine(self):
        options = dict(line.split("=", 1) for line in (INFRA / "weed.options").read_text("utf-8").splitlines() if line and line[0] != "#")
        self.assertEqual((options["ip"], options["ip.bind"]), ("127.0.0.1", "127.0.0.1"))
        compose = yaml.safe_load((INFRA / "compose.yaml").read_text("utf-8"))["services"]["seaweedfs"]
        self.assertEqual(compose["ports"], ["127.0.0.1:8333:8333"])
        self.assertTrue(compose["read_only"])

    def test_the_unit_is_right(self):
        tool = shutil.which("systemd-analyze")
        if not tool:
            print("no systemd-analyze here: the unit is not checked")
            return
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "seaweedfs.service"
            unit.write_text((INFRA / "seaweedfs.service").read_text("utf-8").replace("/usr/local/bin/weed", "/bin/true"), "utf-8")
            done = subprocess.run([tool, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
            ours = [line for line in (done.stdout + done.stderr).splitlines() if "seaweedfs" in line]
            self.assertEqual((done.returncode, ours), (0, []))


if __name__ == "__main__":
    unittest.main()
