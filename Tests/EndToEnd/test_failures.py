"""What scripts/test says of a log with failures."""
import importlib.machinery
import importlib.util
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOG = '''◇ Test run started.
◇ Suite "Work" started.
◇ Test "belongs to the item that started it" started.
✘ Test "belongs to the item that started it" recorded an issue at WorkTests.swift:45:5: Expectation failed: 2 == 3
↳ one item has passed
✘ Test "belongs to the item that started it" failed after 0.500 seconds with 1 issue.
◇ Test "is passed on" started.
✔ Test "is passed on" passed after 0.001 seconds.
◇ Test "never ends" started.
✘ Suite "Work" failed after 0.501 seconds with 1 issue.
✘ Test run with 3 tests in 1 suite failed after 0.501 seconds with 1 issue.
'''


def script():
    """The script as a module; it has no suffix."""
    loader = importlib.machinery.SourceFileLoader("scripts_test", str(ROOT / "scripts" / "test"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Failures(unittest.TestCase):
    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".log", delete=False) as log:
            log.write(LOG)
        self.addCleanup(Path(log.name).unlink)
        self.group = script().Group.__new__(script().Group)
        self.group.path = Path(log.name)

    def test_are_shown_whatever_words_their_names_have(self):
        problems = "\n".join(self.group.problems())
        self.assertIn("WorkTests.swift:45:5: Expectation failed: 2 == 3", problems)
        self.assertIn("one item has passed", problems)
        self.assertIn("begun and not ended: \"never ends\"", problems)
        self.assertNotIn("is passed on", problems)

    def test_are_named_at_the_end(self):
        self.assertEqual(self.group.failed, ['"belongs to the item that started it"', '"never ends"'])


if __name__ == "__main__":
    unittest.main()
