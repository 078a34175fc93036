"""The files of infra/: manifests against Kubernetes' schemas, units against systemd, scripts against the shell, no secrets in any.

kubernetes-validate is among the wheels that the test run installs; systemd-analyze is asked where the machine has it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
INFRA = ROOT / "infra"
KUBERNETES = INFRA / "kubernetes"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout + done.stderr


def pods(manifest):
    """The pod specifications in a manifest."""
    if isinstance(manifest, dict):
        if "containers" in manifest:
            yield manifest
        for value in manifest.values():
            yield from pods(value)
    elif isinstance(manifest, list):
        for value in manifest:
            yield from pods(value)


class Kubernetes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        code, cls.rendered = run("sh", KUBERNETES / "array/array.sh", "--render")
        assert code == 0, cls.rendered
        files = [path for path in sorted((KUBERNETES / "base").glob("*.yaml")) if path.stem != "kustomization"]
        cls.base = {path.name: path.read_text("utf-8") for path in files}

    def validate(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "manifest.yaml"
            path.write_text(text, "utf-8")
            tool = Path(sys.executable).parent / "kubernetes-validate"
            return run(tool, "--strict", path)

    def test_every_manifest_is_what_the_schemas_say(self):
        for name, text in {**self.base, "rendered": self.rendered}.items():
            code, said = self.validate(text)
            self.assertEqual(code, 0, f"{name}: {said}")

    def test_the_check_finds_a_wrong_field(self):
        code, said = self.validate(self.rendered.replace("backoffLimitPerIndex", "backoffLimitPerIdx"))
        self.assertNotEqual(code, 0, said)

    def test_nothing_is_left_unfilled(self):
        self.assertIsNone(re.search(r"\b(STEP|STAGE|ARGS|MANIFEST)\b|\"TASKS\"|: 1 # ", self.rendered))
        tasks = [job for job in yaml.safe_load_all(self.rendered) if job["spec"].get("completionMode") == "Indexed"]
        self.assertEqual([(job["spec"]["completions"], job["spec"]["parallelism"]) for job in tasks], [(7, 3)])
        self.assertIn("7", tasks[0]["spec"]["template"]["spec"]["containers"][0]["args"])

    def test_pods_may_do_nothing_they_need_not(self):
        texts = [*self.base.values(), self.rendered]
        found = [pod for text in texts for manifest in yaml.safe_load_all(text) for pod in pods(manifest)]
        self.assertEqual(len(found), 4, "the CronJob's, a plan's, a task's, the commit's")
        for pod in found:
            self.assertTrue(pod["securityContext"]["runAsNonRoot"])
            self.assertIs(pod["automountServiceAccountToken"], False)
            for container in pod["containers"]:
                self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
                self.assertIs(container["securityContext"]["allowPrivilegeEscalation"], False)
                self.assertEqual(container["securityContext"]["capabilities"]["drop"], ["ALL"])
                for bound in ("requests", "limits"):
                    self.assertLessEqual({"cpu", "memory"}, set(container["resources"][bound]))

    def test_kustomize_finds_what_it_names(self):
        kustomization = yaml.safe_load((KUBERNETES / "base/kustomization.yaml").read_text("utf-8"))
        self.assertEqual(sorted(kustomization["resources"]), sorted(self.base))
        for name in kustomization["configMapGenerator"][0]["files"]:
            self.assertTrue((KUBERNETES / "base" / name).exists(), name)

    def test_the_job_is_one(self):
        job = KUBERNETES / "base/nightly.toml"
        with tempfile.TemporaryDirectory() as out:
            code, said = run(os.environ["NABSAK_BIN"], "run", job, "--dry-run", "--set", f"output.dir={out}",
                             "--set", f"input.archives=[\"{ROOT / 'demo'}\"]")
            self.assertEqual(code, 0, said)


class Systemd(unittest.TestCase):
    def test_the_units_are_right(self):
        tool = shutil.which("systemd-analyze")
        if not tool:
            print("no systemd-analyze here: the units are not checked")
            return
        with tempfile.TemporaryDirectory() as folder:
            # The program's path has to exist for systemd; any will do.
            for unit in (INFRA / "systemd").glob("nabsak-*"):
                text = unit.read_text("utf-8").replace("/usr/local/bin/nabsak", "/bin/true")
                (Path(folder) / unit.name).write_text(text, "utf-8")
            units = sorted(Path(folder).glob("nabsak-*"))
            self.assertEqual([unit.suffix for unit in units], [".service", ".timer"])
            code, said = run(tool, "verify", "--man=no", *units)
            ours = [line for line in said.splitlines() if "nabsak" in line]
            self.assertEqual((code, ours), (0, []), said)


class Files(unittest.TestCase):
    def test_scripts_are_shell(self):
        scripts = [path for path in INFRA.rglob("*") if path.suffix in {".sh", ".sbatch"}]
        self.assertEqual(len(scripts), 5)
        for script in scripts:
            self.assertEqual(run("sh", "-n", script), (0, ""), script)

    def test_each_page_says_what_it_costs_and_how_to_undo_it(self):
        pages = sorted(INFRA.glob("*/README.md"))
        self.assertEqual([page.parent.name for page in pages], ["aws", "kubernetes", "slurm", "systemd"])
        for page in pages:
            text = page.read_text("utf-8")
            for heading in ("## What it costs", "## Undoing it"):
                self.assertIn(heading, text, page)

    def test_no_file_holds_a_secret(self):
        # An access key's form, or a value behind a name that means a secret.
        secret = re.compile(r"\b(AKIA|ASIA)[0-9A-Z]{16}\b|(?i:secret|password|token)[A-Za-z_]*\s*[:=]\s*[\"']?[A-Za-z0-9+/]{16,}")
        for folder in ("infra", "jobs"):
            for path in (ROOT / folder).rglob("*"):
                if path.is_file():
                    self.assertIsNone(secret.search(path.read_text("utf-8")), path)


if __name__ == "__main__":
    unittest.main()
