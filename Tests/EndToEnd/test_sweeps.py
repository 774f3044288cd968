"""Runs sweeps as the files of `deploy` do, and kills a shard. FRAMEBUDGET names the program."""
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["FRAMEBUDGET"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARDS = 16
SCENARIO = """scenario: grid
display: {refresh: 60 Hz, render: 5 ms}
duration: 1 s
services: {files: {}}
workloads:
  - name: add-file
    arrival: {once: 100, start: 100 ms}
    steps: [{service: files, cpu: {normal: {mean: 2 ms, deviation: 1 ms}}}]
strategies: [main-thread, schedulable]
"""


class SweepTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("grid.yaml"), "w") as file:
            file.write(SCENARIO)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def content(self, folder):
        content = {}
        for name in ("summary.csv", "workloads.csv", "sweep.json"):
            with open(self.path(folder, name), "rb") as file:
                content[name] = file.read()
        return content

    def sweep(self, seeds):
        return [PROGRAM, "run", "grid.yaml", "--engine", "virtual", "--vary", "display.render=4..8:2 ms",
                "--vary", f"seed=1..{seeds}"]

    def merge(self):
        folders = sorted(os.listdir(self.path("shards")), key=int)
        return subprocess.run([PROGRAM, "merge", *(f"shards/{name}" for name in folders), "-o", "all"],
                              cwd=self.folder, capture_output=True, text=True)

    # Slow: runs a sweep of 2400 runs three times.
    @unittest.skipUnless(shutil.which("parallel"), "needs GNU parallel (Debian: parallel)")
    def test_gnu_parallel_completes_a_killed_shard(self):
        sweep = self.sweep(seeds=400)
        command = [os.path.join(ROOT, "deploy", "gnu-parallel"), str(SHARDS), "shards", *sweep]
        first = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL)
        self.kill_a_shard()
        self.assertNotEqual(first.wait(), 0)
        merged = self.merge()
        self.assertEqual(merged.returncode, 1, merged.stderr)
        self.assertIn("is unfinished: ", merged.stderr)
        self.assertEqual(subprocess.run(command, cwd=self.folder).returncode, 0)
        self.assertEqual(self.merge().returncode, 0)
        alone = subprocess.run([*sweep, "-o", "alone", "--jobs", "1", "-q"], cwd=self.folder)
        self.assertEqual(alone.returncode, 0)
        self.assertEqual(self.content("all"), self.content("alone"))

    def test_the_commands_of_kubernetes_and_aws_batch_make_their_shards(self):
        with open(os.path.join(ROOT, "deploy", "aws-batch.json"), encoding="utf-8") as file:
            batch = json.load(file)["containerProperties"]["command"]
        with open(os.path.join(ROOT, "deploy", "kubernetes.yaml"), encoding="utf-8") as file:
            folded = file.read().partition(">-\n")[2].partition("workingDir")[0]
        kubernetes = ["sh", "-c", " ".join(folded.split())]
        sweep = self.sweep(seeds=40)
        alone = subprocess.run([*sweep, "-o", "alone", "--jobs", "1", "-q"], cwd=self.folder)
        self.assertEqual(alone.returncode, 0)
        self.make_shards(sweep, batch, "--shard auto ", 4, lambda index: {
            "AWS_BATCH_JOB_ARRAY_INDEX": str(index), "AWS_BATCH_JOB_ARRAY_SIZE": "4"})
        self.make_shards(sweep, kubernetes, "--shard auto/16 ", 16, lambda index: {"JOB_COMPLETION_INDEX": str(index)})

    def make_shards(self, sweep, command, option, count, variables):
        """Runs the command of a file for each of `count` shards, with this folder's sweep, and compares the merged bytes."""
        *shell, line = command
        self.assertIn(option, line)
        line = re.sub(r"framebudget run my\.yaml .*?(?= --shard)", lambda _: shlex.join(sweep), line)
        for index in range(count):
            made = subprocess.run([*shell, line], cwd=self.folder, env=os.environ | variables(index))
            self.assertEqual(made.returncode, 0)
        self.assertEqual(self.merge().returncode, 0)
        self.assertEqual(self.content("all"), self.content("alone"))
        for folder in ("shards", "all"):
            shutil.rmtree(self.path(folder))

    def kill_a_shard(self):
        """Kills the first shard that has rows."""
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            for process, number in self.shards():
                partial = self.path("shards", number, "summary.csv.partial")
                with contextlib.suppress(OSError):
                    if os.path.getsize(partial) <= 5000:
                        continue
                    # One that completes its files meanwhile is not killed.
                    os.kill(process, signal.SIGSTOP)
                    while not self.is_stopped(process):
                        time.sleep(0.001)
                    is_partial = os.path.exists(partial)
                    os.kill(process, signal.SIGKILL if is_partial else signal.SIGCONT)
                    if is_partial:
                        return
        self.fail("no shard was seen to run")

    @staticmethod
    def is_stopped(process):
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] in "TZX"

    def shards(self):
        """The processes of the program in this folder, each with its shard's number."""
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{process}/cwd") != self.folder:
                    continue
                with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
                    words = file.read().split("\0")
            except OSError:
                continue
            if words[0] == PROGRAM and "--shard" in words:
                yield int(process), words[words.index("--shard") + 1].split("/")[0]

    def test_an_interrupted_sweep_resumes_to_the_same_bytes(self):
        sweep = self.sweep(seeds=200)
        for number, interruption in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)):
            with self.subTest(signal=interruption.name):
                folder = f"part{number}"
                process = subprocess.Popen([*sweep, "-o", folder, "-q"], cwd=self.folder)
                partial = self.path(folder, "summary.csv.partial")
                while not os.path.exists(partial) or os.path.getsize(partial) < 100_000:
                    self.assertIsNone(process.poll())
                    time.sleep(0.005)
                process.send_signal(interruption)
                status = -interruption if interruption == signal.SIGKILL else 128 + interruption
                self.assertEqual(process.wait(), status)
                self.assertFalse(os.path.exists(self.path(folder, "summary.csv")))
                again = subprocess.run([*sweep, "-o", folder], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(again.returncode, 73)
                self.assertIn("--resume", again.stderr)
                resumed = subprocess.run([*sweep, "-o", folder, "--resume", "-q"], cwd=self.folder)
                self.assertEqual(resumed.returncode, 0)
        alone = subprocess.run([*sweep, "-o", "alone", "--jobs", "1", "-q"], cwd=self.folder)
        self.assertEqual(alone.returncode, 0)
        for number in range(3):
            self.assertEqual(self.content(f"part{number}"), self.content("alone"))


if __name__ == "__main__":
    unittest.main()
