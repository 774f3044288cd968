"""Counts the instructions of a program's spans by `measure`, and finds what became dearer. FRAMEBUDGET names the program; without
valgrind all is skipped."""
import csv
import os
import shutil
import subprocess
import tempfile
import time
import unittest

from terminal import PATIENCE

PROGRAM = os.environ["FRAMEBUDGET"]
BUILT = os.path.dirname(PROGRAM)
SCENARIO = """scenario: app
display: {refresh: 60 Hz, render: 6 ms}
duration: 2 s
services: {index: {}}
ui: {frame: [{name: row, cpu: 1 ms}]}
workloads:
  - name: add
    arrival: {every: 40 ms}
    steps: [{service: index, cpu: 9 ms}]
strategies: [main-thread]
"""
WORK = ["work", "4000", "3000"]


@unittest.skipUnless(shutil.which("valgrind"), "no valgrind: no instructions are counted")
class MeasureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("app.yaml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO)
        # Its file says what its arguments mean.
        self.app = self.stripped("RecordedApp")

    def stripped(self, name, *options):
        """A copy without debug information, which old versions of valgrind cannot read."""
        copy = self.path(name)
        subprocess.run(["strip", *(options or ["--strip-debug"]), "-o", copy, os.path.join(BUILT, name)], check=True)
        return copy

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def tool(self, *words, status=0, **environment):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              env=os.environ | environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def measure(self, folder, work=WORK, *options, **environment):
        return self.tool("measure", "app.yaml", "-o", folder, *options, "--", self.app, *work, **environment).stdout

    def spans(self, folder):
        with open(self.path(folder, "spans.csv"), encoding="utf-8") as file:
            return {row["span"]: row for row in csv.DictReader(file)}

    def read(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def test_spans_are_counted_without_those_inside_them_and_beside_other_load_alike(self):
        self.measure("base")
        spans = self.spans("base")
        self.assertEqual({name: row["span_calls"] for name, row in spans.items()},
                         {"frame": "20", "index": "20", "row": "60"})
        counts = {name: float(row["span_instructions"]) for name, row in spans.items()}
        # The recorder's own work for the rows, in a debug build, counts in the frame around them.
        self.assertTrue(0.75 * counts["index"] < counts["frame"] < counts["index"])
        self.assertLess(counts["row"], counts["frame"] / 20)
        self.assertEqual([spans[name]["span_ms"] for name in ("frame", "index", "row")], ["6", "9", "1"])
        burners = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
        try:
            # Another size of the environment moves the stack in its page.
            for number, length in enumerate((99, 1700, 3000)):
                other = f"a longer name for the other one{number}"
                self.measure(other, WORK, "--calibration", "base", ANY_OTHER="x" * length)
                for name in ("spans.csv", "summary.csv", "workloads.csv"):
                    self.assertEqual(self.read("base", name), self.read(other, name), (length, name))
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()

    def test_a_dearer_span_is_found_with_the_frames_that_it_costs(self):
        self.measure("base")
        text = self.measure("dearer", ["work", "4160", "3000"], "--calibration", "base")
        self.assertRegex(text, r"index +20 .* \+[34]\.\d+ %")
        self.assertIn("cache misses", text)
        found = self.tool("compare", "base", "dearer", status=1).stdout
        self.assertRegex(found, r"app · index .*\n.*\n +span_ms \* .*worse")
        self.assertIn("dropped_frames_pct", found)
        dropped = [csv.DictReader(self.read(name, "summary.csv").decode().splitlines()) for name in ("base", "dearer")]
        frames = [float(next(rows)["frame_ms_p99"]) for rows in dropped]
        self.assertLess(frames[0], frames[1])
        self.assertIn("no regression", self.tool("compare", "base", "base").stdout.lower())

    def test_work_in_another_number_of_calls_takes_as_long_as_all_of_them(self):
        # So much work that the cost of a call does not count.
        self.measure("base", ["work", "40000", "3000"])
        # In four quarters the same work; twice as often twice as much.
        for name, work, status in (("split", ["work", "40000", "3000", "4"], 0), ("twice", ["work", "80000", "3000", "2"], 1)):
            text = self.measure(name, work, "--calibration", "base")
            calls = 20 * int(work[3])
            self.assertIn(f"\nindex: 20 → {calls} calls\n", text)
            self.assertEqual(self.spans(name)["index"]["span_calls"], str(calls))
            self.assertEqual(self.spans(name)["index"]["span_units"], "20")
            self.assertAlmostEqual(float(self.spans(name)["index"]["span_ms"]), 9 * (1 + status), delta=0.09)
            self.tool("compare", "base", name, status=status)
        # The new calibration says what the old one said.
        self.measure("again", ["work", "40000", "3000", "4"], "--calibration", "split")
        self.assertEqual(self.spans("again"), self.spans("split"))

    def test_a_span_that_is_gone_is_named_and_undecided(self):
        self.measure("base")
        with open(self.path("base", "spans.csv"), encoding="utf-8") as file:
            text = file.read()
        with open(self.path("base", "spans.csv"), "w", encoding="utf-8") as file:
            file.write(text.replace(",index,", ",import,"))
        done = self.tool("measure", "app.yaml", "-o", "new", "--calibration", "base", "--", self.app, *WORK)
        self.assertIn("only the calibration has these, so the scenario keeps their costs: import", done.stderr)
        self.assertIn("not in the calibration, so the scenario keeps their costs: index", done.stderr)
        found = self.tool("compare", "base", "new", "-q", status=2).stdout
        self.assertIn("Inconclusive: the new result lacks import.", found)

    # Slow: ends a measurement that would take minutes.
    def test_an_interrupted_bisect_leaves_nothing(self):
        repository = self.path("repository")
        os.mkdir(self.path("temporary"))
        git = ["git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", "init", "-q", repository], check=True)
        for number in range(2):
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", str(number)], check=True)
        command = (f"'{PROGRAM}' measure '{self.path('app.yaml')}' -o \"$FRAMEBUDGET_RESULT\" -- '{self.app}' work 900000000 1; true")
        started = subprocess.Popen([PROGRAM, "bisect", "HEAD~1..HEAD", "--", "sh", "-c", command], cwd=repository,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=os.environ | {"TMPDIR": self.path("temporary")})
        try:
            while not any(name.startswith("log-") for _, _, names in os.walk(self.path("temporary")) for name in names):
                self.assertIsNone(started.poll())
                time.sleep(0.05)
            started.terminate()
            self.assertEqual(started.wait(timeout=PATIENCE), 143)
        finally:
            started.kill()
        self.assertEqual([name for name in os.listdir(self.path("temporary")) if name.startswith("framebudget-")], [])
        running = subprocess.run(["ps", "-e", "-o", "args"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn(f"{self.app} work 900000000", running)

    def test_bisect_finds_the_commit(self):
        self.measure("base")
        repository = self.path("repository")
        git = ["git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", "init", "-q", repository], check=True)
        for number, steps in enumerate([4000, 4000, 4010, 4130, 4130, 4140]):
            with open(self.path("repository", "work.txt"), "w", encoding="utf-8") as file:
                file.write(f"work {steps} 3000 {number}\n")
            subprocess.run([*git, "add", "-A"], check=True)
            subprocess.run([*git, "commit", "-q", "-m", f"change {number}"], check=True)
        command = (f"'{PROGRAM}' measure '{self.path('app.yaml')}' --calibration '{self.path('base')}' -q"
                   f""" -o "$FRAMEBUDGET_RESULT" -- '{self.app}' $(cut -d' ' -f1-3 work.txt)""")
        found = subprocess.run([PROGRAM, "bisect", "HEAD~5..HEAD", "-q", "--", "sh", "-c", command], cwd=repository,
                               capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        self.assertIn("change 3 (", found.stdout)
        self.assertRegex(found.stdout, r"span_ms \*.*worse")

    def test_work_that_differs_from_run_to_run_does_not_gate(self):
        for name in ("base", "new"):
            said = self.tool("measure", "app.yaml", "-o", name, "--", self.app, "turns")
            self.assertRegex(said.stderr, "two counts of 'index' differ by .* so it does not gate")
        self.assertNotIn("app · index", self.tool("compare", "base", "new").stdout)

    # Slow: measures for some seconds, six times.
    def test_closures_of_measureFrames_are_spans_in_however_many_pieces(self):
        app = self.stripped("RunLoopApp")
        for name, steps, pieces in (("base", "42000", "2"), ("new", "44100", "2"), ("pieces", "42000", "3")):
            self.tool("measure", "app.yaml", "-o", name, "--", app, "work", steps, pieces)
        base, new, pieces = (
            {name: float(row["span_instructions"]) for name, row in self.spans(folder).items()}
            for folder in ("base", "new", "pieces"))
        # The interval in an actor is a span of its own.
        for name in ("frame", "index", "hash"):
            self.assertAlmostEqual(new[name] / base[name], 1.05, delta=0.005)
            self.assertAlmostEqual(pieces[name] / base[name], 1, delta=0.02)
            self.assertAlmostEqual(base[name] / base["frame"], 1, delta=0.05)

    def test_a_measurement_beside_a_recording_is_refused_while_spans_are_counted_too(self):
        done = subprocess.run(
            [os.path.join(BUILT, "RunLoopApp"), "recorded"], capture_output=True, text=True,
            env=os.environ | {"FRAMEBUDGET_SPANS": self.path("spans")})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a FrameRecorder records this process; stop it before a measurement", done.stderr)

    def test_mistakes_have_remedies(self):
        for words, status, problem in [
            ([self.app, "silent"], 69, "ended with status 3"),
            (["/bin/true"], 65, "has no spans"),
            (["nowhere/at-all"], 66, "no such program"),
            ([], 64, "needs '-- PROGRAM'"),
        ]:
            said = self.tool("measure", "app.yaml", *(["--"] if words else []), *words, status=status).stderr
            self.assertIn(problem, said)
        self.assertIn("valgrind is not installed", self.tool("measure", "app.yaml", "--", self.app, status=69, PATH="/nowhere").stderr)
        self.tool("measure", "app.yaml", "--calibration", "app.yaml", "--", self.app, *WORK, status=65)
        with open(self.path("other.yaml"), "w", encoding="utf-8") as file:
            file.write(SCENARIO.replace("index", "other").replace("render: 6 ms", "render: 0 ms").replace("name: row", "name: line"))
        self.assertIn("no span has the name", self.tool("measure", "other.yaml", "--", self.app, *WORK, status=65).stderr)
        said = self.tool("measure", "app.yaml", "--", self.stripped("RecordedApp", "--strip-all"), *WORK, status=65).stderr
        self.assertIn("must not be stripped", said)
        self.assertEqual(sorted(os.listdir(self.folder)), ["RecordedApp", "app.yaml", "other.yaml"])
