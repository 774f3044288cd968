"""Runs the test files whose names match the given patterns, or all of them, and prints results as Swift Testing does."""
import sys
import time
import unittest
from pathlib import Path


class TimedResult(unittest.TextTestResult):
    """Prints a line for each test, with its duration in seconds."""

    def startTest(self, test):
        super().startTest(test)
        self.start = time.monotonic()
        self.problems = len(self.failures) + len(self.errors)
        print(f'◇ Test "{self.name(test)}" started.', flush=True)

    def stopTest(self, test):
        has_passed = len(self.failures) + len(self.errors) == self.problems
        mark, word = ("✔", "passed") if has_passed else ("✘", "failed")
        print(f'{mark} Test "{self.name(test)}" {word} after {time.monotonic() - self.start:.3f} seconds.', flush=True)
        super().stopTest(test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f'➜ Test "{self.name(test)}" skipped: {reason}', flush=True)

    @staticmethod
    def name(test):
        file, _, function = test.id().rpartition(".")
        return f"{file.split('.')[0]}: {function.removeprefix('test_').replace('_', ' ')}"


def main():
    loader, suite = unittest.TestLoader(), unittest.TestSuite()
    for pattern in sys.argv[1:] or ["test_*.py"]:
        suite.addTests(loader.discover(str(Path(__file__).parent), pattern=pattern))
    result = unittest.TextTestRunner(resultclass=TimedResult, verbosity=0).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
