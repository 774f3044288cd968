"""Tests what shells propose after `make install`, by pressing the tab key in each. FRAMEBUDGET names the program."""
import os
import shutil
import subprocess
import tempfile
import unittest

from terminal import Session

PROGRAM = os.environ["FRAMEBUDGET"]

# How to start a shell without the settings of a person, and to load the completions in {manual}.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source {manual}/framebudget.bash"),
    "zsh": (["zsh", "-f", "-i"], "fpath=({manual} $fpath); autoload -U compinit; compinit -u -D"),
    "fish": (["fish", "--private"], "source {manual}/framebudget.fish"),
}

# What somebody types, and the line after the tab key.
CASES = {
    "run cam": "run camera-upload",
    "run mi": "run mine.yaml",
    "run resu": "run results",
    "run x --strategy main-thread,schedulable-pa": "run x --strategy main-thread,schedulable-partial",
    "compare x y --gate dropped_frames_": "compare x y --gate dropped_frames_pct",
    "compare summ": "compare summary.csv",
    "report folder/ins": "report folder/inside.csv",
    "run tw": "run two\\ words.yaml",
    "live x --strategy sched": "live x --strategy schedulable",
    "live --no-m": "live --no-mouse",
    "import tra": "import trace.json",
    "run x -o fol": "run x -o folder/",
    "run x --engine vir": "run x --engine virtual",
}


class CompletionsTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = os.path.join(holder.name, "work")
        self.manual = os.path.join(holder.name, "manual")
        tools = os.path.join(holder.name, "bin")
        for folder in (self.folder, tools, os.path.join(self.folder, "folder")):
            os.mkdir(folder)
        for name in ("mine.yaml", "two words.yaml", "summary.csv", "trace.json", "folder/inside.csv"):
            open(os.path.join(self.folder, name), "w").close()
        os.symlink(os.path.abspath(PROGRAM), os.path.join(tools, "framebudget"))
        subprocess.run([PROGRAM, "make-manual", self.manual], check=True)
        self.environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": holder.name, "PS1": "> "}

    def complete(self, name):
        if not shutil.which(name):
            self.skipTest(f"{name} is not installed")
        command, load = SHELLS[name]
        shell = Session(command, columns=100, rows=60, **self.environment)
        self.addCleanup(shell.close)
        shell.press(f"cd {self.folder}; {load.format(manual=self.manual)}; echo rea''dy\r")
        shell.wait("\nready")
        for typed, wanted in CASES.items():
            with self.subTest(shell=name, typed=typed):
                shell.press(f"framebudget {typed}\t")
                shell.wait(f"framebudget {wanted}")
                # Ctrl-U removes the line; Ctrl-C would lose what is typed next.
                shell.press("\x15")

    # Slow: starts the program for each proposal.
    def test_bash_completes_files_scenarios_strategies_and_metrics(self):
        self.complete("bash")

    # Slow: starts the program for each proposal.
    def test_zsh_completes_files_scenarios_strategies_and_metrics(self):
        self.complete("zsh")

    # Slow: starts the program for each proposal.
    def test_fish_completes_files_scenarios_strategies_and_metrics(self):
        self.complete("fish")
