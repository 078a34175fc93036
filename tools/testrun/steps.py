"""The steps of a test run, in order of speed. All share one profile and one set of features, so that the heavy
dependencies are built once and checked once."""

import os
import re
import subprocess
import time
from pathlib import Path

from .parts import ROOT

# One profile for the tests and the product; remember Cargo.toml, which says so too.
BUILD = ["--profile", "release", "--workspace", "--features", "nabsak/full"]


class Step:
    """One command of the run: its name, its words, and how its output tells the number of tests."""

    def __init__(self, name, command, env=None, count=None):
        self.name = name
        self.command = [str(word) for word in command]
        self.env = env or {}
        self.count = count
        self.passed = 0
        self.failed = 0
        self.seconds = 0.0

    def run(self, env):
        """Runs the step, showing its output as it comes. A step without tests counts as one."""
        print(f"\n== {self.name}: {' '.join(self.command)}", flush=True)
        begun = time.monotonic()
        with subprocess.Popen(self.command, cwd=ROOT, env={**env, **self.env}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as child:
            for line in child.stdout:
                print(line, end="", flush=True)
                if self.count:
                    passed, failed = self.count(line)
                    self.passed += passed
                    self.failed += failed
        self.seconds = time.monotonic() - begun
        if child.returncode != 0:
            self.failed = max(self.failed, 1)
        elif not self.count:
            self.passed = 1
        return self.failed == 0


def plain(line):
    """A line without terminal colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def count_nextest(line):
    found = re.search(r"Summary \[.*\] .*tests? run: (.*)", plain(line))
    return numbers(found.group(1)) if found else (0, 0)


def count_cargo_test(line):
    found = re.match(r"test result: \w+\. (\d+) passed; (\d+) failed", plain(line))
    return (int(found.group(1)), int(found.group(2))) if found else (0, 0)


def numbers(text):
    """Passed and failed out of nextest's summary: `18 passed (1 slow), 1 failed, 1 timed out, 0 skipped`."""
    parts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|timed out|exec failed)", text)}
    passed = parts.pop("passed", 0)
    return passed, sum(parts.values())


class CountUnittest:
    """`Ran N tests` comes before `OK` or `FAILED (failures=1, errors=2)`. A skipped test counts as failed: a part is
    brought, or its lack is an error."""

    def __init__(self):
        self.ran = 0

    def __call__(self, line):
        ran = re.match(r"Ran (\d+) tests? in", line)
        if ran:
            self.ran = int(ran.group(1))
            return 0, 0
        if not re.match(r"(OK|FAILED)( \(|$)", line.rstrip()):
            return 0, 0
        failed = sum(map(int, re.findall(r"(?:failures|errors|skipped|unexpected successes)=(\d+)", line)))
        return self.ran - min(failed, self.ran), failed


def all_steps(parts, words):
    """Every step. With words, only the tests whose crate, file or name holds one of them."""
    keep_going = ["--no-fail-fast"] if os.environ.get("CI") else []
    chosen = [word for term in words for word in ["-E", nextest_filter(term)]]
    none = ["--no-tests=pass"] if words else []
    denied = {"RUSTDOCFLAGS": "-D warnings"}
    lint = [
        Step("fmt", ["cargo", "fmt", "--all", "--check"]),
        Step("tools", [parts.tool("python"), "-m", "unittest", "discover", "-s", "tools"], count=CountUnittest()),
        Step("deny", [parts.tool("cargo-deny"), "--all-features", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"]),
        Step("clippy", ["cargo", "clippy", "--all-targets", *BUILD, "--", "-D", "warnings"]),
        Step("doc", ["cargo", "doc", "--no-deps", *BUILD], env=denied),
        # What a user builds by default has fewer features than the tests.
        Step("default", ["cargo", "check", *BUILD[:2], "-p", "nabsak"]),
    ]
    tests = [
        Step("tests", [parts.tool("cargo-nextest"), "nextest", "run", "--cargo-profile", *BUILD[1:],
                       *keep_going, *chosen, *none], count=count_nextest),
        Step("doctests", ["cargo", "test", "--doc", *BUILD, *keep_going], count=count_cargo_test),
        *python_tests(parts, words),
    ]
    if words:
        return [step for step in tests if step.name != "doctests"]
    return lint + tests


def nextest_filter(word):
    """The tests whose crate, file or name holds a word; the runner takes a crate or file that is not there for an error."""
    terms = [f"test(~{word})"]
    if any(word in f"nabsak-{manifest.parent.name}" for manifest in ROOT.glob("crates/*/Cargo.toml")):
        terms.append(f"package(~{word})")
    if any(word in file.stem for file in ROOT.glob("crates/*/tests/*.rs")):
        terms.append(f"binary(~{word})")
    return " | ".join(terms)


def python_tests(parts, words):
    """The end-to-end tests below tests/, if there are any. They drive the program that the step before built: cargo makes
    it for the tests in crates/nabsak/tests."""
    if not any((ROOT / "tests").glob("test_*.py")):
        return []
    chosen = [word for term in words for word in ["-k", term]]
    command = [parts.tool("python"), "-m", "unittest", "discover", "-v", "-s", "tests", "-p", "test_*.py", *chosen]
    return [Step("end-to-end", command, count=CountUnittest())]


def environment(parts_env, cache):
    """What every step sees: where the parts are, one target folder outside the checkout, the built program."""
    target = os.environ.get("CARGO_TARGET_DIR") or os.environ.get("CARGO_BUILD_TARGET_DIR") or str(cache / "target")
    target = str(Path(target).resolve())
    return {
        **os.environ,
        **parts_env,
        "CARGO_TARGET_DIR": target,
        "CARGO_INCREMENTAL": "0",
        "CARGO_TERM_PROGRESS_WHEN": "never",
        "NABSAK_BIN": f"{target}/release/nabsak",
        # A test that means a metadata service says so; on any other machine asking for one costs seconds.
        "AWS_EC2_METADATA_DISABLED": "true",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
