"""The test run's own sums: a miscounted failure would be a passed run."""

import unittest

from testrun import steps


class Counts(unittest.TestCase):
    def test_nextest(self):
        line = "\x1b[32m     Summary\x1b[0m [  68.610s] 20 tests run: 17 passed (1 slow), 1 failed, 2 timed out, 3 skipped"
        self.assertEqual(steps.count_nextest(line), (17, 3))
        self.assertEqual(steps.count_nextest("     Summary [   0.1s] 1 test run: 1 passed, 0 skipped"), (1, 0))
        self.assertEqual(steps.count_nextest("        PASS [   0.1s] crate a::b"), (0, 0))

    def test_cargo_test(self):
        line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s"
        self.assertEqual(steps.count_cargo_test(line), (3, 2))

    def test_unittest(self):
        def total(*lines):
            count = steps.CountUnittest()
            return tuple(map(sum, zip(*map(count, lines))))
        self.assertEqual(total("Ran 5 tests in 0.1s\n", "\n", "OK\n"), (5, 0))
        self.assertEqual(total("Ran 5 tests in 0.1s\n", "FAILED (failures=1, errors=2)\n"), (2, 3))
        self.assertEqual(total("Ran 5 tests in 0.1s\n", "OK (skipped=1)\n"), (4, 1))
        self.assertEqual(total("Ran 1 test in 0.1s\n", "OK\n"), (1, 0))

    def test_a_failed_command_is_a_failure_whatever_it_printed(self):
        step = steps.Step("x", ["sh", "-c", "echo 'test result: ok. 3 passed; 0 failed'; exit 1"], count=steps.count_cargo_test)
        self.assertFalse(step.run({}))
        self.assertEqual((step.passed, step.failed), (3, 1))


if __name__ == "__main__":
    unittest.main()
