"""Runs sweeps as the files of `deploy` do, and kills a shard. FRAMEBUDGET names the program."""
import contextlib
import json
import os
import re
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

    def test_gnu_parallel_refuses_the_folder_of_another_sweep(self):
        if not shutil.which("parallel"):
            self.skipTest("needs GNU parallel (Debian: parallel)")
        command = [os.path.join(ROOT, "deploy", "gnu-parallel"), "2", "shards", *self.sweep(seeds=2)]
        self.assertEqual(subprocess.run(command, cwd=self.folder).returncode, 0)
        self.assertEqual(subprocess.run(command, cwd=self.folder).returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("shards"))), ["1", "2"])
        more = [*command[:3], *self.sweep(seeds=3)]
        refused = subprocess.run(more, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("is of another sweep: other options", refused.stderr)
        with open(self.path("grid.yaml"), "w") as file:
            file.write(SCENARIO.replace("mean: 2 ms", "mean: 3 ms"))
        refused = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("is of another sweep: another scenario", refused.stderr)
        shutil.rmtree(self.path("shards"))
        self.assertEqual(subprocess.run(command, cwd=self.folder).returncode, 0)
        self.assertEqual(self.merge().returncode, 0)

    def test_gnu_parallel_runs_in_this_folder_on_other_machines(self):
        """With a stand-in for ssh, which begins in another folder, as ssh does; and from a service, which has no SHELL."""
        if not shutil.which("parallel"):
            self.skipTest("needs GNU parallel (Debian: parallel)")
        with open(self.path("ssh"), "w") as file:
            file.write('#!/bin/bash\nshift\n[ "$1" != -- ] || shift\ncd / && exec bash -c "$*"\n')
        os.chmod(self.path("ssh"), 0o700)
        command = [os.path.join(ROOT, "deploy", "gnu-parallel"), "2", "shards", *self.sweep(seeds=2)]
        environment = os.environ | {"PARALLEL_OPTIONS": f"--ssh {self.path('ssh')} --sshlogin 2/node1"}
        environment.pop("SHELL", None)
        for shell in ({}, {"SHELL": "/bin/sh"}, {"SHELL": "/bin/bash"}):
            with self.subTest(shell=shell):
                for folder in ("shards", "all"):
                    shutil.rmtree(self.path(folder), ignore_errors=True)
                made = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment | shell)
                self.assertEqual(made.returncode, 0, made.stderr)
                merged = self.merge()
                self.assertEqual(merged.returncode, 0, merged.stderr)

    def test_the_image_runs_what_kubernetes_and_aws_batch_pass_to_it(self):
        """What they give as arguments follows the image's entry point, and what they write is on a volume."""
        with open(os.path.join(ROOT, "Dockerfile"), encoding="utf-8") as file:
            self.assertIn('ENTRYPOINT ["framebudget"]\n', file.read())
        with open(os.path.join(ROOT, "deploy", "aws-batch.json"), encoding="utf-8") as file:
            properties = json.load(file)["containerProperties"]
        places = [point["containerPath"] for point in properties["mountPoints"]]
        self.assertEqual([point["sourceVolume"] for point in properties["mountPoints"]],
                         [volume["name"] for volume in properties["volumes"]])
        batch = properties["command"]
        for path in (batch[1], batch[batch.index("-o") + 1]):
            self.assertTrue(any(path.startswith(f"{place}/") for place in places), path)
        batch = [word.replace(f"{places[0]}/", "") for word in batch]
        kubernetes = self.kubernetes_arguments()
        sweep = self.sweep(seeds=40)
        alone = subprocess.run([*sweep, "-o", "alone", "--jobs", "1", "-q"], cwd=self.folder)
        self.assertEqual(alone.returncode, 0)
        self.make_shards(sweep, batch, "auto", 4, lambda index: {
            "AWS_BATCH_JOB_ARRAY_INDEX": str(index), "AWS_BATCH_JOB_ARRAY_SIZE": "4"})
        self.make_shards(sweep, kubernetes, "auto/16", 16, lambda index: {"JOB_COMPLETION_INDEX": str(index)})

    def kubernetes_arguments(self):
        """Those of the container, after checking what Kubernetes requires of the job around them."""
        with open(os.path.join(ROOT, "deploy", "kubernetes.yaml"), encoding="utf-8") as file:
            text = file.read()
        # backoffLimitPerIndex "can only be set when Job's completionMode=Indexed, and the Pod's restart policy is Never".
        self.assertRegex(text, r"(?m)^  completionMode: Indexed$")
        self.assertRegex(text, r"(?m)^  backoffLimitPerIndex: \d+$")
        self.assertRegex(text, r"(?m)^      restartPolicy: Never$")
        # `command` would replace the image's entry point.
        self.assertNotRegex(text, r"(?m)^ *command:")
        words = re.search(r"args: \[(.*?)\]", text, re.DOTALL)[1]
        arguments = [word.strip().strip('"') for word in words.split(",")]
        folder = re.search(r"workingDir: (\S+)", text)[1]
        mounts = re.findall(r"mountPath: ([^,}\s]+)", text)
        for path in (arguments[1], arguments[arguments.index("-o") + 1]):
            self.assertTrue(any(f"{folder}/{path}/".startswith(f"{mount}/") for mount in mounts), path)
        number = arguments[arguments.index("--shard") + 1].partition("/")[2]
        for key in ("completions", "parallelism"):
            self.assertRegex(text, rf"(?m)^  {key}: {number}$")
        return arguments

    def test_tasks_of_slurm_make_their_shards_whatever_their_numbers(self):
        script = ["bash", os.path.join(ROOT, "deploy", "slurm.sbatch"), "shards"]
        sweep = self.sweep(seeds=4)
        alone = subprocess.run([*sweep, "-o", "alone", "--jobs", "1", "-q"], cwd=self.folder)
        self.assertEqual(alone.returncode, 0)
        for tasks, step in (((1, 2, 3, 4), 1), ((0, 1, 2), 1), ((5, 7, 9), 2)):
            with self.subTest(tasks=tasks):
                for task in tasks:
                    self.assertEqual(self.slurm([*script, *sweep], tasks, step, task).returncode, 0)
                # One of them again, alone, by its number from 1.
                shutil.rmtree(self.path("shards", "2"))
                again = self.slurm([*script, *sweep], [2], 1, 2, SHARDS=str(len(tasks)))
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertEqual(self.merge().returncode, 0)
                self.assertEqual(self.content("all"), self.content("alone"))
                for folder in ("shards", "all"):
                    shutil.rmtree(self.path(folder))
        for tasks, step in (((1, 2, 10), 1), ((7,), 1)):
            for task in tasks:
                self.assertEqual(self.slurm([*script, *sweep], tasks, step, task).returncode, 64)
        self.assertEqual(os.listdir(self.path("shards")), [])

    def slurm(self, command, tasks, step, task, **more):
        """Runs a task of an array with the variables that Slurm sets."""
        array = {"TASK_ID": task, "TASK_MIN": min(tasks), "TASK_MAX": max(tasks), "TASK_COUNT": len(tasks),
                 "TASK_STEP": step}
        variables = {f"SLURM_ARRAY_{name}": str(value) for name, value in array.items()}
        return subprocess.run(command, cwd=self.folder, env=os.environ | variables | more,
                              capture_output=True, text=True)

    def make_shards(self, sweep, arguments, shard, count, variables):
        """Makes `count` shards with the arguments of a file, but this folder's sweep, and compares the merged bytes."""
        place = arguments.index("--shard")
        self.assertEqual(arguments[:2], ["run", "my.yaml"])
        self.assertEqual(arguments[place + 1], shard)
        for index in range(count):
            made = subprocess.run([*sweep, *arguments[place:]], cwd=self.folder, env=os.environ | variables(index))
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
