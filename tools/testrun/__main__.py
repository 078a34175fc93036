"""The command line of ./test."""

import argparse
import shutil
import sys
import time

from . import steps
from .parts import Missing, Parts

DESCRIPTION = """\
Brings what the tests need into a cache folder (NABSAK_CACHE, else ~/.cache/nabsak) and runs every check and test, in
order of speed: format, licences, lints, docs, the default build, tests, doc tests, end-to-end tests. Stops at the first
step that fails, unless CI is set. Builds into CARGO_TARGET_DIR, else into the cache folder."""


def arguments():
    parser = argparse.ArgumentParser(prog="./test", description=DESCRIPTION,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD",
                        help="run only the tests whose crate, file or name holds one of these words")
    parser.add_argument("--only", metavar="STEP[,STEP]", help="run only these steps, by the names shown in the log")
    parser.add_argument("--tools", action="store_true",
                        help="only bring the parts, and print the environment for `eval`")
    return parser.parse_args()


def main():
    """Brings, runs, sums up. 0 all passed, 1 something failed, 2 a part is missing or the usage is wrong."""
    args = arguments()
    try:
        if not shutil.which("cargo"):
            raise Missing("there is no cargo: install Rust, https://rustup.rs")
        parts = Parts()
        brought = parts.bring()
    except Missing as missing:
        print(f"cannot bring what the tests need: {missing}", file=sys.stderr)
        print("0 passed, 1 failed")
        return 2
    if args.tools:
        for name, path in brought.items():
            print(f"export {name}='{path}'")
        return 0
    chosen = steps.all_steps(parts, args.words)
    if args.only:
        names = args.only.split(",")
        unknown = set(names) - {step.name for step in chosen}
        if unknown:
            print(f"no step is called {', '.join(sorted(unknown))}; there are: "
                  f"{', '.join(step.name for step in chosen)}", file=sys.stderr)
            return 2
        chosen = [step for step in chosen if step.name in names]
    return report(run_all(chosen, steps.environment(brought, parts.cache)), bool(args.words))


def run_all(chosen, env):
    """Runs the steps; a failed one ends the run, except where CI wants to see all that is wrong."""
    done = []
    for step in chosen:
        done.append(step)
        if step.run(env):
            continue
        # Tests that did not build leave an old program for the steps behind them, which would prove nothing.
        unbuilt = step.name == "tests" and step.passed == 0
        if unbuilt or not env.get("CI"):
            break
    return done


def report(done, filtered):
    print()
    for step in done:
        outcome = "FAILED" if step.failed else "ok"
        print(f"{step.name:<12} {outcome:<7} {step.passed:>5} passed {step.failed:>4} failed {step.seconds:>7.0f} s")
    passed = sum(step.passed for step in done)
    failed = sum(step.failed for step in done)
    if filtered and passed + failed == 0:
        print("no test has such a name", file=sys.stderr)
        failed = 1
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    begun = time.monotonic()
    sys.exit(main())
