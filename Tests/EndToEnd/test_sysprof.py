"""Reads captures that sysprof makes of a real app with GTK. FRAMEBUDGET names the program; needs Weston, too."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from terminal import PATIENCE, FolderTest, start_weston
from test_wayland import WrittenLog

PROGRAM = os.environ["FRAMEBUDGET"]
MISSING = [package for package, program in
           [("sysprof", "sysprof-cli"), ("weston", "weston"), ("gtk-4-examples", "gtk4-demo")] if not shutil.which(program)]
# In seconds.
STOPS = [0.2, 0.3, 0.4]


@unittest.skipIf(MISSING, f"no {', '.join(MISSING)}: no capture of a real app is read")
class SysprofTest(FolderTest):
    def record(self, renderer):
        """The log of an app's Wayland client, which is recorded beside it, and stopped some times."""
        environment = {
            **os.environ, **self.environment, "GDK_BACKEND": "wayland", "GSK_RENDERER": renderer, "GTK_A11Y": "none",
            "GSETTINGS_BACKEND": "memory", "WAYLAND_DEBUG": "1"}
        others = [f"--no-{name}" for name in ("perf", "cpu", "memory", "disk", "network", "battery")]
        with open("log", "wb") as log:
            recorder = subprocess.Popen(
                ["sysprof-cli", "-f", "--gtk", "--use-trace-fd", *others, "app.syscap", "--", "gtk4-demo", "--run=fishbowl"],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.addCleanup(self.end, recorder)
        self.wait_for(120)
        app = int(subprocess.run(["pgrep", "-P", str(recorder.pid)], capture_output=True, check=True).stdout)
        for seconds in STOPS:
            os.kill(app, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(app, signal.SIGCONT)
            time.sleep(1)
        os.kill(app, signal.SIGTERM)
        # The recorder takes the last marks from a buffer now and then. It waits for services that may be absent, until it has
        # been told three times to end.
        self.wait_for_silence(recorder)
        end = time.monotonic() + PATIENCE
        while recorder.poll() is None:
            self.assertLess(time.monotonic(), end)
            recorder.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                recorder.wait(2)
        return WrittenLog(self.log())

    def wait_for_silence(self, recorder):
        """Waits until the recorder has written nothing for 4 s, in steps: a machine that stands still writes nothing either. It
        keeps what it has read for a while, so the file alone says little."""
        end, size, steps = time.monotonic() + PATIENCE, -1, 0
        while steps < 40 and recorder.poll() is None:
            self.assertLess(time.monotonic(), end)
            before, size = size, os.path.getsize("app.syscap") if os.path.exists("app.syscap") else 0
            steps = steps + 1 if size == before else 0
            time.sleep(0.1)

    @staticmethod
    def end(recorder):
        """Ends all of its session."""
        try:
            os.killpg(recorder.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        recorder.wait()

    @staticmethod
    def log():
        with open("log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for(self, frames):
        end = time.monotonic() + PATIENCE
        while self.log().count(".frame(") < frames:
            self.assertLess(time.monotonic(), end, self.log()[-1000:])
            time.sleep(0.1)

    def run_program(self, *arguments, statuses=(0,)):
        ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
        self.assertIn(ended.returncode, statuses, ended.stderr)
        return ended.stdout

    # Slow: records for some seconds.
    def test_a_capture_has_the_frames_of_the_clients_log_and_planted_stops(self):
        self.environment = {"XDG_RUNTIME_DIR": self.folder, "WAYLAND_DISPLAY": "wayland-0"}
        start_weston(self, self.environment)
        for renderer in ("cairo", "gl"):
            with self.subTest(renderer=renderer):
                # An app that a busy machine lets wait wants fewer frames, also in a stop.
                for tries_left in (2, 1, 0):
                    surface = max(self.record(renderer).surfaces.values(), key=lambda surface: surface.requests)
                    listed = self.run_program("learn", "app.syscap", "--list")
                    # The end of the app may cut off the mark of the last frame.
                    frames = int(re.search(r"\* thread .* (\d+) frames", listed)[1])
                    self.assertIn(surface.requests - frames, (0, 1), listed)
                    log = json.loads(self.run_program("import", "app.syscap", "--format", "json"))["logs"][0]
                    # Where each frame takes longer than a period, its calls come at every other vsync, and show no shorter period.
                    least = log["refresh_hz"] * sum(STOPS) - 2 * len(STOPS)
                    if log["dropped_frames"] > least or not tries_left:
                        break
                self.assertGreater(log["dropped_frames"], least)
                # The verdict on so short a replay depends on the machine.
                self.run_program("learn", "app.syscap", "-o", f"learned-{renderer}", statuses=(0, 1, 2))
                with open(f"learned-{renderer}/README.md", encoding="utf-8") as report:
                    self.assertIn("## Recorded and replayed", report.read())
