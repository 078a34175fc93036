"""The files of infra/: manifests against Kubernetes' schemas, units against systemd, scripts against the shell.

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


def merged(base, patch):
    """A strategic merge, as far as the driver's patch needs it: containers, mounts and volumes go by name."""
    if isinstance(base, dict) and isinstance(patch, dict):
        return {key: merged(base[key], patch[key]) if key in base and key in patch else base.get(key, patch.get(key)) for key in {**base, **patch}}
    if isinstance(base, list) and base and isinstance(base[0], dict):
        patches = {item["name"]: item for item in patch}
        old = [merged(item, patches.pop(item["name"])) if item["name"] in patches else item for item in base]
        return old + list(patches.values())
    return patch


class Kubernetes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        code, cls.rendered = run("sh", KUBERNETES / "array/array.sh", "--render")
        assert code == 0, cls.rendered
        files = [path for path in sorted((KUBERNETES / "base").glob("*.yaml")) if path.stem != "kustomization"]
        cls.base = {path.name: path.read_text("utf-8") for path in files}
        files = [path for path in sorted((KUBERNETES / "cluster").glob("*.yaml")) if path.stem not in ("kustomization", "driver")]
        cls.cluster = {path.name: path.read_text("utf-8") for path in files}
        driver = merged(*(yaml.safe_load((KUBERNETES / name).read_text("utf-8")) for name in ("base/cronjob.yaml", "cluster/driver.yaml")))
        cls.cluster["driver, patched"] = yaml.safe_dump(driver)

    def validate(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "manifest.yaml"
            path.write_text(text, "utf-8")
            tool = Path(sys.executable).parent / "kubernetes-validate"
            return run(tool, "--strict", path)

    def test_every_manifest_is_what_the_schemas_say(self):
        for name, text in {**self.base, **self.cluster, "rendered": self.rendered}.items():
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
        texts = [*self.base.values(), *self.cluster.values(), self.rendered]
        found = [pod for text in texts for manifest in yaml.safe_load_all(text) for pod in pods(manifest)]
        self.assertEqual(len(found), 7, "the CronJob's, a scheduler's, a worker's, the driver's, a plan's, a task's, the commit's")
        for pod in found:
            self.assertTrue(pod["securityContext"]["runAsNonRoot"])
            self.assertIs(pod["automountServiceAccountToken"], False)
            for container in pod["containers"]:
                self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
                self.assertIs(container["securityContext"]["allowPrivilegeEscalation"], False)
                self.assertEqual(container["securityContext"]["capabilities"]["drop"], ["ALL"])
                for bound in ("requests", "limits"):
                    self.assertLessEqual({"cpu", "memory"}, set(container["resources"][bound]))

    def test_the_cluster_talks_to_itself_alone(self):
        parts = {(part["kind"], part["metadata"]["name"]): part for text in self.cluster.values() for part in yaml.safe_load_all(text)}
        scheduler = parts["Deployment", "nabsak-scheduler"]["spec"]["template"]
        container = scheduler["spec"]["containers"][0]
        self.assertLessEqual({"startupProbe", "readinessProbe", "livenessProbe"}, set(container))
        # The Service and the policy mean this pod and this port; run and workers call them by the Service's name.
        service = parts["Service", "nabsak-scheduler"]["spec"]
        policy = parts["NetworkPolicy", "nabsak-scheduler"]["spec"]
        for selector in (service["selector"], policy["podSelector"]["matchLabels"]):
            self.assertLessEqual(selector.items(), scheduler["metadata"]["labels"].items())
        self.assertEqual(policy["ingress"], [{"from": [{"podSelector": {"matchLabels": {"app.kubernetes.io/name": "nabsak"}}}],
                                              "ports": [{"protocol": "TCP", "port": 50050}]}])
        callers = parts["NetworkPolicy", "nabsak-callers"]["spec"]["egress"]
        self.assertEqual([port["port"] for rule in callers for port in rule["ports"]], [50050])
        self.assertEqual(callers[0]["to"][0]["podSelector"]["matchLabels"], scheduler["metadata"]["labels"])
        worker = parts["Deployment", "nabsak-worker"]["spec"]["template"]["spec"]["containers"][0]
        driver = parts["CronJob", "nabsak-nightly"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
        for args in (worker["args"], driver["args"]):
            self.assertIn("df://nabsak-scheduler:50050", args)
        # A worker opens nothing.
        self.assertNotIn("ports", worker)
        self.assertNotIn("--insecure-network", worker["args"])
        # What the patch does not name stays as it is in base.
        self.assertEqual([mount["name"] for mount in driver["volumeMounts"]], ["job", "tmp"])
        self.assertTrue(driver["securityContext"]["readOnlyRootFilesystem"])

    def test_the_cluster_s_commands_are_those_of_the_program(self):
        program = Path(os.environ["NABSAK_BIN"])
        if "cluster" not in run(program, "run", "--help")[1]:
            print("this build has no cluster: its commands are not checked")
            return
        commands = {}
        for text in self.cluster.values():
            for manifest in yaml.safe_load_all(text):
                for pod in pods(manifest):
                    container = pod["containers"][0]
                    words = container["args"]
                    name = program.parent / Path(container.get("command", [program.name])[0]).name
                    commands[manifest["metadata"]["name"]] = (name, words)
        self.assertEqual(len(commands), 3)
        for name, (command, words) in commands.items():
            known = [word for word in words[:2] if re.fullmatch("[a-z]+", word)]
            code, said = run(command, *known, "--help")
            self.assertEqual(code, 0, said)
            for word in words:
                if word.startswith("--"):
                    self.assertIn(word, said, name)

    def test_kustomize_finds_what_it_names(self):
        kustomization = yaml.safe_load((KUBERNETES / "base/kustomization.yaml").read_text("utf-8"))
        self.assertEqual(sorted(kustomization["resources"]), sorted(self.base))
        for name in kustomization["configMapGenerator"][0]["files"]:
            self.assertTrue((KUBERNETES / "base" / name).exists(), name)
        cluster = yaml.safe_load((KUBERNETES / "cluster/kustomization.yaml").read_text("utf-8"))
        self.assertEqual(sorted(cluster["resources"]), sorted(["../base", *(name for name in self.cluster if name.endswith(".yaml"))]))
        self.assertEqual(cluster["patches"], [{"path": "driver.yaml"}])
        self.assertEqual(cluster["images"], kustomization["images"])

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
        self.assertEqual(len(scripts), 7)
        for script in scripts:
            self.assertEqual(run("sh", "-n", script), (0, ""), script)

    def test_each_page_says_what_it_costs_and_how_to_undo_it(self):
        pages = sorted(INFRA.glob("*/README.md"))
        self.assertLessEqual({"aws", "container", "kubernetes", "seaweedfs", "slurm", "systemd"}, {page.parent.name for page in pages})
        for page in pages:
            text = page.read_text("utf-8")
            for heading in ("## What it costs", "## Undoing it"):
                self.assertIn(heading, text, page)


if __name__ == "__main__":
    unittest.main()
