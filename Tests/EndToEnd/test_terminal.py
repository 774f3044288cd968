"""Tests the screens of commands other than `live` in a terminal. FRAMEBUDGET names the program."""
import os
import re
import subprocess
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

    # Slow: waits for a run in real time.
    def test_a_progress_bar_is_erased(self):
        for arguments in [
            ["run", "camera-upload", "--engine", "virtual"],
            ["run", "steady", "--duration", "1 s", "--strategy", "schedulable"],
            ["limit", "three-files", "--engine", "real", "--duration", "1 s", "--strategy", "schedulable",
             "--vary", "workloads.two.arrival.batch=1..2"],
        ]:
            for columns in (80, 40):
                with self.subTest(arguments=arguments, columns=columns):
                    run = self.session(*arguments, columns=columns, rows=100)
                    run.end()
                    self.assertRegex(run.raw, rb"\r1/\d ")
                    self.assertNotIn(b"SchedulableObjects", run.raw)
                    self.assertNotRegex(run.text(), r"(?m)^\d/\d ")

    # Slow: waits for an estimate.
    def test_a_sweep_shows_the_remaining_time(self):
        for columns in (80, 40):
            with self.subTest(columns=columns):
                run = self.session("run", "three-files", "--engine", "virtual", "--strategy", "main-thread", "--vary",
                                   "seed=1..900", "-o", os.path.join(self.folder, str(columns)),
                                   columns=columns, rows=100)
                run.end()
                self.assertRegex(run.raw, rb"\r\d+/900 .*\d+ runs per second")
                self.assertNotRegex(run.text(), r"(?m)^\d+/900")

    def test_interrupted_advice_is_the_best_so_far(self):
        advise = self.session("advise", "many-services", "--jobs", "1", rows=100)
        # It counts its runs.
        advise.wait(lambda advise: re.search(rb"\r\d+ runs?", advise.raw))
        advise.press("\x03")
        self.assertEqual(advise.end(), 130, advise.text())
        self.assertIn("\narrangement", advise.text())
        self.assertIn("interrupted; this is the best", advise.text())

    def test_a_machine_without_proc_is_no_success(self):
        alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
        if subprocess.run([*alone, "mount -t tmpfs none /proc"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces: /proc cannot be hidden")
        ended = subprocess.run(
            [*alone, 'mount -t tmpfs none /proc && exec "$@"', "sh", PROGRAM, "check", "steady"],
            capture_output=True, text=True)
        self.assertEqual(
            (ended.returncode, ended.stdout, ended.stderr),
            (70, "", "framebudget: the system tells no arguments, because /proc is not mounted\n"))

    def test_a_page_is_not_printed_to_a_terminal(self):
        results = os.path.join(self.folder, "results")
        self.session("run", "three-files", "--engine", "virtual", "-q", "-o", results).end()
        report = self.session("report", results)
        self.assertEqual(report.end(), 64)
        self.assertIn("add -o", report.text())
        self.assertNotIn("<html", report.text())


if __name__ == "__main__":
    unittest.main()
