"""The CloudFormation template of infra/aws: linted, its rights counted, and its chain of jobs run with the real program."""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

import state_machine

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "infra/aws/nabsak.yaml"
ARCHIVES, RESULTS = "the-archives", "the-results"


class Tags(yaml.SafeLoader):
    """CloudFormation's short forms, kept as {"tag": what it is given}."""


def short_form(loader, suffix, node):
    construct = {yaml.ScalarNode: loader.construct_scalar, yaml.SequenceNode: loader.construct_sequence}[type(node)]
    given = construct(node, deep=True) if isinstance(node, yaml.SequenceNode) else construct(node)
    return {suffix: given}


Tags.add_multi_constructor("!", short_form)


def lint(path):
    done = subprocess.run([Path(sys.executable).parent / "cfn-lint", "-t", path], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Template(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = TEMPLATE.read_text("utf-8")
        cls.resources = yaml.load(cls.text, Tags)["Resources"]

    def of_type(self, kind):
        return {name: it["Properties"] for name, it in self.resources.items() if it["Type"] == kind}

    def statements(self, role):
        policies = self.resources[role]["Properties"]["Policies"]
        return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]

    def test_the_linter_has_nothing_to_say(self):
        self.assertEqual(lint(TEMPLATE), (0, ""))

    def test_the_linter_finds_what_is_wrong(self):
        for right, wrong in [("SSEAlgorithm: AES256", "SSEAlgorithm: AES257"), ("JobRoleArn:", "JobRoleArm:"),
                             ("Type: Choice", "Type: Chioce")]:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "wrong.yaml"
                self.assertIn(right, self.text)
                path.write_text(self.text.replace(right, wrong, 1), "utf-8")
                self.assertNotEqual(lint(path)[0], 0, wrong)

    def test_buckets_are_private_encrypted_and_stay(self):
        buckets = self.of_type("AWS::S3::Bucket")
        self.assertEqual(sorted(buckets), ["Archives", "Results"])
        for name, bucket in buckets.items():
            self.assertEqual(self.resources[name]["DeletionPolicy"], "Retain")
            self.assertEqual(set(bucket["PublicAccessBlockConfiguration"].values()), {True})
            self.assertEqual(len(bucket["PublicAccessBlockConfiguration"]), 4)
            self.assertIn("ServerSideEncryptionConfiguration", bucket["BucketEncryption"])
            # What ends by age is old versions and manifests, never a table.
            for rule in bucket["LifecycleConfiguration"]["Rules"]:
                self.assertTrue("ExpirationInDays" not in rule or rule["Prefix"].endswith("/_nabsak/plans/"))

    def test_the_program_may_read_archives_and_write_results_and_no_more(self):
        # What crates/store/src/s3.rs calls: list_objects_v2, head_object and get_object, put_object, delete_object.
        rights = {(statement["Sid"], *([action] if isinstance(action := statement["Action"], str) else action))
                  for statement in self.statements("JobRole")}
        self.assertEqual(rights, {
            ("ListArchives", "s3:ListBucket"), ("ReadArchives", "s3:GetObject"), ("ListResults", "s3:ListBucket"),
            ("WriteResults", "s3:GetObject", "s3:PutObject", "s3:DeleteObject")})
        for statement in self.statements("JobRole"):
            bucket = "Archives" if "Archives" in statement["Sid"] else "Results"
            self.assertIn(bucket, json.dumps(statement["Resource"]))

    def test_the_code_calls_what_the_policy_allows(self):
        code = (ROOT / "crates/store/src/s3.rs").read_text("utf-8")
        calls = set(re.findall(r"\.(list_objects_v2|[a-z]+_object[a-z_]*|[a-z_]*multipart[a-z_]*)\(\)", code))
        self.assertEqual(calls, {"list_objects_v2", "get_object", "head_object", "put_object", "delete_object"})

    def test_stars_are_only_where_there_is_no_resource(self):
        for name in self.of_type("AWS::IAM::Role"):
            for statement in self.statements(name):
                actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
                self.assertFalse([action for action in actions if "*" in action], name)
                if statement["Resource"] == "*":
                    self.assertLessEqual(set(actions), {"ecr:GetAuthorizationToken", "batch:DescribeJobs", "batch:TerminateJob"})

    def test_containers_are_as_small_as_they_can_be(self):
        for definition in self.of_type("AWS::Batch::JobDefinition").values():
            container = definition["ContainerProperties"]
            self.assertEqual(container["User"], "10001:10001")
            self.assertIs(container["ReadonlyRootFilesystem"], True)
        group = self.resources["Tasks"]["Properties"]
        self.assertEqual(group["SecurityGroupIngress"], [])
        self.assertEqual([(rule["FromPort"], rule["ToPort"]) for rule in group["SecurityGroupEgress"]], [(443, 443)])


class Batch:
    """Queues that do every job at once, here, and a log that comes late."""

    def __init__(self, place, deadly=None):
        self.place, self.deadly = place, deadly
        self.logs, self.jobs, self.looks = {}, [], 0

    def task(self, resource, arguments):
        kind = resource.rsplit(":", 2)[-2:]
        if kind == ["sfn", "listExecutions"]:
            return {"Executions": [{"Status": "RUNNING"}]}
        if kind == ["cloudwatchlogs", "getLogEvents"]:
            self.looks += 1
            late = self.looks % 2 == 1
            return {"Events": [] if late else [{"Message": line} for line in self.logs[arguments["LogStreamName"]]]}
        assert kind == ["batch", "submitJob.sync"], resource
        size = arguments.get("ArrayProperties", {}).get("Size")
        assert size is None or 2 <= size <= 10_000, "what Batch takes"
        command = arguments["ContainerOverrides"]["Command"]
        self.jobs.append((arguments["JobName"], size))
        ended = [self.process(command, index) for index in range(size or 1)]
        stream = f"nabsak/{len(self.jobs)}"
        self.logs[stream] = ended[0][1]
        if any(code != 0 for code, _ in ended):
            raise state_machine.Failed(ended)
        return {"Container": {"LogStreamName": stream}}

    def process(self, command, index):
        if self.deadly == (self.jobs[-1][0], index):
            return 137, []
        words = [word.replace(f"s3://{ARCHIVES}", str(ROOT / "demo")).replace(f"s3://{RESULTS}", str(self.place))
                 .replace("/etc/nabsak/", f"{ROOT}/jobs/") for word in command]
        env = {**os.environ, "AWS_BATCH_JOB_ARRAY_INDEX": str(index)}
        done = subprocess.run([os.environ["NABSAK_BIN"], *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              stdin=subprocess.DEVNULL, env=env, check=False)
        return done.returncode, done.stdout.splitlines()


def parts(place):
    """The parts of every table but `runs`; their names end in the hash of their bytes."""
    found = {str(path.relative_to(place)) for path in Path(place).rglob("*.parquet")}
    return {name for name in found if not name.startswith(("runs/", "_nabsak/"))}


class Chain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        chain = yaml.load(TEMPLATE.read_text("utf-8"), Tags)["Resources"]["Chain"]["Properties"]
        values = {name: name for name in chain["DefinitionSubstitutions"]}
        values.update(archives=ARCHIVES, results=RESULTS, nodes="50", maxTasks="4")
        text = re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], json.dumps(chain["Definition"]))
        cls.definition = json.loads(text)
        # Two archives are enough, and one chunk of search is some seconds.
        job = cls.definition["States"]["Begin"]["Assign"]["job"]
        job += ["--set", "input.include=[\"defects.pgn\", \"thai-club.pgn\"]", "--set", "run.search_chunk_s=1",
                "--set", "output.keep_hours=0"]
        cls.job = job

    def run_chain(self, batch):
        return state_machine.run(self.definition, batch.task, {"StateMachine": {"Id": "the-machine"}})

    def plain(self, folder):
        words = [word.replace(f"s3://{ARCHIVES}", str(ROOT / "demo")).replace(f"s3://{RESULTS}", folder)
                 .replace("/etc/nabsak/", f"{ROOT}/jobs/") for word in self.job]
        subprocess.run([os.environ["NABSAK_BIN"], "-q", "run", *words], check=True, stdout=subprocess.DEVNULL)
        return parts(Path(folder) / "nightly")

    def test_the_chain_gives_the_parts_of_a_plain_run(self):
        with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as quiet:
            batch = Batch(place)
            path, end, _ = self.run_chain(batch)
            self.assertEqual((end, path[-1]), ("Succeed", "Done"), (path, batch.logs))
            names = [name for name, _ in batch.jobs]
            self.assertEqual(names, ["plan-index", "index", "plan-replay", "replay", "plan-search", "search", "plan-assemble",
                                     "assemble", "commit"])
            self.assertIn("Wait", path, "the log came late")
            made = parts(Path(place) / "nightly")
            self.assertGreater(len(made), 10)
            self.assertEqual(made, self.plain(quiet))
            again, end, _ = self.run_chain(Batch(place))
            self.assertEqual((end, "Array" in again), ("Succeed", False), "a night without news")

    def test_a_dead_task_is_told_and_made_up_for(self):
        with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as quiet:
            _, end, _ = self.run_chain(Batch(place, deadly=("search", 1)))
            self.assertEqual(end, "Fail")
            _, end, _ = self.run_chain(Batch(place))
            self.assertEqual(end, "Succeed")
            self.assertEqual(parts(Path(place) / "nightly"), self.plain(quiet))

    def test_one_chunk_is_an_array_of_two(self):
        definition = copy.deepcopy(self.definition)
        definition["States"]["Begin"]["Assign"]["job"] += ["--set", "input.include=[\"defects.pgn\"]", "--set", "analysis.engine=none"]
        with tempfile.TemporaryDirectory() as place:
            batch = Batch(place)
            _, end, _ = state_machine.run(definition, batch.task, {"StateMachine": {"Id": "the-machine"}})
            self.assertEqual(end, "Succeed", batch.logs)
            self.assertEqual([(name, size) for name, size in batch.jobs if size], [("index", 2), ("replay", 2), ("assemble", 2)])

    def test_a_second_night_leaves_the_first_alone(self):
        def busy(resource, _):
            assert resource.endswith("listExecutions"), "nothing is submitted"
            return {"Executions": [{}, {}]}
        path, end, _ = state_machine.run(self.definition, busy, {"StateMachine": {"Id": "the-machine"}})
        self.assertEqual((path[-1], end), ("StillRunning", "Succeed"))

    def test_a_plan_that_fails_ends_with_a_commit(self):
        def broken(resource, arguments):
            if resource.endswith("submitJob.sync"):
                raise state_machine.Failed
            return {"Executions": [{}]}
        path, end, _ = state_machine.run(self.definition, broken, {"StateMachine": {"Id": "the-machine"}})
        self.assertEqual((path[-3:], end), (["Plan", "Commit", "NotWhole"], "Fail"))


if __name__ == "__main__":
    unittest.main()
