"""What commands other than `live` leave on the screen of a terminal. FRAMEBUDGET names the program."""
import os
import tempfile
import unittest

from terminal import Session

PROGRAM = os.environ["FRAMEBUDGET"]


class TerminalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def session(self, *arguments, **options):
        session = Session([PROGRAM, *arguments], **options)
        self.addCleanup(session.close)
        return session

    def test_of_a_bar_nothing_is_left(self):
        for arguments, first in [
            (["run", "camera-upload", "--engine", "virtual"], "With 2500 photos the app"),
            (["run", "steady", "--duration", "1 s", "--strategy", "schedulable"], "framebudget: one run"),
            (["limit", "three-files", "--engine", "real", "--duration", "1 s", "--strategy", "schedulable",
              "--vary", "workloads.two.arrival.batch=1..2"], "framebudget: "),
        ]:
            for columns, rows in [(80, 24), (40, 12)]:
                with self.subTest(arguments=arguments, columns=columns):
                    run = self.session(*arguments, columns=columns, rows=100)
                    run.end()
                    self.assertNotIn(b"SchedulableObjects", run.raw)
                    self.assertTrue(run.text().startswith(first), run.text())
                    # Nothing of the line that was drawn again and again.
                    self.assertNotRegex(run.text(), r"\d/\d [a-z-]+ .* of .* s, ")

    def test_a_page_is_not_poured_over_it(self):
        results = os.path.join(self.folder, "results")
        self.session("run", "three-files", "--engine", "virtual", "-q", "-o", results).end()
        report = self.session("report", results)
        self.assertEqual(report.end(), 64)
        self.assertIn("add -o", report.text())
        self.assertNotIn("<html", report.text())


if __name__ == "__main__":
    unittest.main()
