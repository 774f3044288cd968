"""Drives `framebudget live` in a pseudo-terminal. FRAMEBUDGET names the program.

Needs pexpect and pyte (Debian: python3-pexpect python3-pyte).
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from terminal import SEARCH, Session, Window

PROGRAM = os.environ["FRAMEBUDGET"]


class LiveTest(unittest.TestCase):
    def live(self, *arguments, **options):
        session = Session([PROGRAM, "live", *arguments], **options)
        self.addCleanup(session.close)
        return session

    def assert_restored(self, session):
        """The program has left the alternate screen, shows the cursor, and has restored the keyboard's modes."""
        self.assertIn(b"\x1b[?1049l", session.raw)
        self.assertGreater(session.raw.rfind(b"\x1b[?1049l"), session.raw.rfind(b"\x1b[?1049h"))
        shown = max(session.raw.rfind(b"\x1b[?25h"), session.raw.rfind(b"\x1b[34h"))
        self.assertGreater(shown, session.raw.rfind(b"\x1b[?25l"))
        self.assert_no_mouse(session)

    def assert_no_mouse(self, session):
        """After the last request for mouse reports the program has turned them off."""
        asked = max(session.raw.rfind(b"\x1b[?1000h"), session.raw.rfind(b"\x1b[?1006;1000h"))
        ended = max(session.raw.rfind(b"\x1b[?1000l"), session.raw.rfind(b"\x1b[?1006;1000l"))
        self.assertGreaterEqual(ended, asked)

    def keep_cores_busy(self):
        """Six processes a core compute until the test ends, so that a thread of low priority hardly runs."""
        for _ in range(6 * len(os.sched_getaffinity(0))):
            # They give way to other tests, which run at the same time and measure time.
            process = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.nice(10))
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)

    @staticmethod
    def has_frames(session):
        """Whether the shown run is past its first frames."""
        return re.search(r" of [1-9]\d+ frames", session.text())

    # What follows is on the screen until the next key; names of new runs at their first frame move away from it.

    @staticmethod
    def titled(words):
        """Whether the first row has these words."""
        return lambda live: words in live.screen.display[0]

    @staticmethod
    def untitled(words):
        return lambda live: words not in live.screen.display[0]

    @staticmethod
    def seconds(live):
        """The time of the run in the first row."""
        found = re.search(r"  (\d+\.\d) s\b", live.screen.display[0])
        return float(found[1]) if found else 0

    @staticmethod
    def marked(words):
        """Whether the chart has this mark, which at its right edge is behind its words."""
        return lambda live: f"▼{words}" in live.text() or f"{words}▼" in live.text()

    # Keys

    # Slow: presses every key, and waits for a run in real time.
    def test_every_key_on_the_virtual_engine(self):
        with tempfile.TemporaryDirectory() as folder:
            here = os.getcwd()
            os.chdir(folder)
            self.addCleanup(os.chdir, here)
            live = self.live("camera-upload", "--engine", "virtual", columns=120, rows=40)
            live.wait("virtual engine")
            live.wait("still running")
            for key, wanted in [
                ("5", self.titled("schedulable  60 Hz")), ("+", "add 5000"), ("-", "add 2000"), ("", self.has_frames),
                # While time stands still, so do marks.
                (" ", self.titled("paused")), ("", self.marked("pause")), ("a", self.marked("+2000")),
                ("<", self.marked("0.5x")), (">", self.marked("1x")),
                ("r", self.titled("0.0 s  paused")), (" ", self.untitled("paused")),
                ("f", self.titled("schedulable  90 Hz")), ("f", self.titled("schedulable  120 Hz")),
                ("f", self.titled("schedulable  60 Hz")), ("", self.has_frames),
                (".", self.titled("paused")), ("n", self.titled("paused")), (" ", self.untitled("paused")),
                ("<", self.titled("  0.5x")), (">", self.untitled("0.5x")),
                ("]", self.titled("  2x")), ("[", self.untitled("  2x")),
                ("?", "HELP"), ("\x1b", "FRAMES"), ("s", "STRATEGIES"), ("k", "STRATEGIES"),
                # The last row is drawn last, so nothing of the run before is left.
                ("\r", "threads-and-locks  60 Hz"), ("x", "'x' is not a key"), ("", self.has_frames),
                ("w", "saved frames-camera-upload.csv"), ("\t", "q quit"), ("\x0c", "TRIED"),
                ("e", "real engine"), (" ", "real time cannot be paused"),
                ("<", "the speed of real time is fixed"), (".", "real time has no single steps"),
                ("", lambda live: self.seconds(live) >= 3), ("r", lambda live: self.seconds(live) < 3),
                ("1", "▶ main-thread"), ("e", "virtual engine"),
            ]:
                live.press(key)
                live.wait(wanted)
            live.press("s")
            live.wait("STRATEGIES")
            for key in [" ", "j", "j", " "]:
                live.press(key)
            live.wait(lambda live: live.text().count("[x]") == 2)
            live.press("\r")
            live.wait("main-thread | time-sliced")
            live.press("q")
            self.assertEqual(live.end(), 0)
            self.assert_restored(live)
            with open("frames-camera-upload.csv") as file:
                header, *lines = file.read().splitlines()
            self.assertIn("begin_vsync", header)
            self.assertGreater(len(lines), 0)

    # Slow: plays a minute, faster.
    def test_plays_a_recorded_run(self):
        with tempfile.TemporaryDirectory() as folder:
            frames = os.path.join(folder, "frames.csv")
            subprocess.run(
                [PROGRAM, "run", "camera-upload", "--engine", "virtual", "--quiet", "--strategy",
                 "main-thread,schedulable", "--duration", "60 s", "--frames", frames],
                check=True, stdout=subprocess.DEVNULL)
            live = self.live(frames, columns=120)
            live.wait("main-thread virtual | schedulable virtual")
            live.wait("recorded")
            for key, wanted in [
                ("a", "a recorded run cannot be changed"), (" ", self.titled("paused")), ("w", "in a file already"),
                (".", self.titled("paused")), (" ", self.untitled("paused")),
                (">", self.titled("  2x")), (">", self.titled("  5x")),
            ]:
                live.press(key)
                live.wait(wanted)
            live.wait(self.titled("ended"))
            live.wait("dropped 390")
            live.press("r")
            live.wait(self.untitled("ended"))
            live.press("q")
            self.assertEqual(live.end(), 0)

    def test_compares_two_strategies(self):
        live = self.live("camera-upload", "--engine", "virtual", columns=120, rows=40)
        live.wait("still running")
        for key, wanted in [
            ("5", "smooth so far"), ("c", "main-thread | schedulable"), ("z", "2 vsyncs"),
            ("i", "looking back"), ("\x1b", lambda live: "looking back" not in live.text()),
            ("\x1bOA", "▶ main-thread  dropped"), ("3", "time-sliced | schedulable"),
            ("c", "time-sliced  60 Hz"),
        ]:
            live.press(key)
            live.wait(wanted)
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assert_restored(live)

    # Advice

    def test_finds_advice_and_runs_it(self):
        live = self.live("tap-behind-files", "--engine", "virtual", "--strategy", "main-thread", columns=120, rows=40)
        live.wait("dropped")
        live.press("d")
        live.wait("searching for the smallest change to main-thread")
        live.wait("advised: move catalogue to lane background; let priorities overtake", SEARCH)
        live.wait("advised  60 Hz")
        # The advice is now in the list of strategies.
        live.press("c")
        live.wait("main-thread | advised")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assert_restored(live)

    def test_says_when_there_is_nothing_to_change_and_when_nothing_helps(self):
        with tempfile.TemporaryDirectory() as folder:
            for render, words in [
                ("5 ms", "nothing to change: main-thread drops 0 of 60 frames"),
                ("30 ms", "nothing helps: drawing alone drops 30 of 60 frames, which no arrangement changes"),
            ]:
                file = os.path.join(folder, "app.yaml")
                with open(file, "w") as scenario:
                    scenario.write(
                        "scenario: app\ndisplay: {refresh: 60 Hz, render: %s}\nduration: 1 s\nwarmup: 0 s\n"
                        "services: {files: {}}\nworkloads:\n  - name: add\n    arrival: {every: 100 ms}\n"
                        "    steps: [{service: files, cpu: 1 ms}]\nstrategies: [main-thread]\n" % render)
                live = self.live(file, "--engine", "virtual", columns=120, rows=40)
                live.wait("dropped")
                live.press("d")
                live.wait(words, SEARCH)
                live.press("q")
                self.assertEqual(live.end(), 0)

    def test_ends_at_once_during_a_search_for_advice_on_busy_cores(self):
        self.keep_cores_busy()
        for end, status in [("q", 0), ("\x03", 130)]:
            # Of an hour, so that the search's run under way takes long, although the busy processes give way.
            live = self.live("many-services", "--engine", "virtual", "--duration", "60 min", columns=120, rows=40)
            live.wait("dropped")
            live.press("d")
            live.wait("searching for the smallest change")
            live.press("d")
            live.wait("still searching")
            live.press(end)
            # An end that waited for the run under way would take a minute here.
            self.assertEqual(live.end(30), status)
            self.assert_restored(live)

    # The mouse

    @staticmethod
    def mouse(button, column, row):
        """A mouse report in the old X10 encoding; column and row count from 0."""
        return b"\x1b[M" + bytes([32 + button, 33 + column, 33 + row])

    def test_the_mouse_chooses_inspects_and_looks_back(self):
        live = self.live("camera-upload", "--engine", "virtual", columns=120, rows=40)
        live.wait("still running")
        self.assertIn(b"\x1b[?1000h", live.raw)

        def inspects(live):
            live.press(self.mouse(0, 100, 12))
            live.press(self.mouse(3, 100, 12))
            return "looking back" in live.text()

        # On a busy machine the hang may be over by then, and the column may be of another frame.
        live.wait(inspects)
        live.press("\x1b")
        live.wait(lambda live: "looking back" not in live.text())
        live.press(self.mouse(64, 50, 12))
        live.wait("looking back")

        def is_back_at_the_newest(live):
            live.press(self.mouse(65, 50, 12))
            return "looking back" not in live.text()

        live.wait(is_back_at_the_newest)
        row = live.screen.display[1]
        live.press(self.mouse(0, row.index("4 threads"), 1))
        live.wait("threads-and-locks  60 Hz")
        live.press("m")
        live.wait("the mouse selects text")
        self.assert_no_mouse(live)
        live.press("m")
        live.wait("m switches to text")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assert_restored(live)

    def test_inspects_even_if_press_and_release_arrive_together(self):
        for paused in (False, True):
            with self.subTest(paused=paused):
                live = self.live("camera-upload", "--engine", "virtual", columns=120, rows=40)
                live.wait("still running")
                if paused:
                    live.press(" ")
                    live.wait("paused")
                click = self.mouse(0, 100, 12) + self.mouse(3, 100, 12)
                live.press(click)
                live.wait("looking back")
                live.press("\x1b")
                live.wait(lambda live: "looking back" not in live.text())
                # Three clicks have the effect of one.
                live.press(3 * click)
                live.wait("looking back")
                live.press("\x1b")
                live.wait(lambda live: "looking back" not in live.text())
                if paused:
                    live.press(4 * self.mouse(64, 50, 12))
                    live.wait("looking back")
                    live.press(3 * self.mouse(65, 50, 12) + b"z")
                    live.wait("one strategy has a column for each vsync")
                    self.assertIn("looking back", live.text())
                    live.press(self.mouse(65, 50, 12))
                    live.wait(lambda live: "looking back" not in live.text())
                live.press("q")
                self.assertEqual(live.end(), 0)

    # Slow: sends every kind of report.
    def test_survives_any_mouse_report(self):
        live = self.live("camera-upload", "--engine", "virtual", columns=120, rows=40)
        live.wait("still running")
        # Presses, releases and wheels of every button, with and without shift, alt and control.
        for button in range(128):
            before = live.screen.display[0].split()[-2]
            live.press(self.mouse(button, 100, 12))
            live.wait(lambda live: "looking back" in live.text() or
                      live.screen.display[0].split()[-2] != before)
            if "looking back" in live.text():
                live.press("\x1b")
                live.wait(lambda live: "looking back" not in live.text())
        live.press("q")
        self.assertEqual(live.end(), 0)

    def test_mouse_reports_are_not_requested_if_unsupported_or_turned_off(self):
        for term, arguments in [
            ("vt100", []), ("vt220", []), ("dumb", ["--duration", "1 s"]),
            ("screen-256color", ["--no-mouse"]), ("xterm-256color", ["--no-mouse"]),
        ]:
            with self.subTest(term=term):
                live = self.live("--engine", "virtual", *arguments, TERM=term)
                if term != "dumb":
                    live.wait(lambda live: b"quit" in live.raw)
                    live.press("q")
                self.assertEqual(live.end(), 0)
                self.assertNotRegex(live.raw, rb"\x1b\[\?1(000|002|003|006)")

    # Sizes, colours, characters

    def test_a_resize_in_the_middle_of_a_hang_draws_everything_anew(self):
        live = self.live("camera-upload", "--strategy", "main-thread", columns=120, rows=40)
        live.wait("still running")
        # The hang lasts longer than all that follows.
        live.press(10 * "a")
        for columns, rows in [(40, 12), (200, 60), (80, 24), (30, 5), (100, 30)]:
            live.resize(columns, rows)
            if columns < 40:
                live.wait("too small")
                continue
            live.wait(lambda live: live.screen.display[rows - 1].startswith("q quit"))
            live.wait(lambda live: "main-thread" in live.screen.display[0])
            width = columns - (11 if columns >= 60 else 0)
            live.wait(lambda live: re.search("[▒]{%d}" % min(width, 20), live.text()))
        live.press("q")
        self.assertEqual(live.end(), 0)

    # Slow: starts a session for each terminal and locale.
    def test_terminals_and_locales(self):
        for term, environment in [
            ("screen-256color", {"LANG": "C"}), ("screen-256color", {"LC_ALL": "C"}),
            ("screen", {}), ("linux", {}), ("vt100", {}), ("vt220", {"LANG": "C"}),
        ]:
            with self.subTest(term=term, environment=environment):
                live = self.live("--engine", "virtual", TERM=term, **environment)
                live.wait("still running")
                live.wait("▒▒▒▒▒▒▒▒▒▒")
                live.press("q")
                self.assertEqual(live.end(), 0)

    # Slow: starts several sessions and waits for a hang in each.
    def test_draws_without_colours_on_request(self):
        for environment, colours in [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)]:
            with self.subTest(environment=environment):
                live = self.live("--engine", "virtual", **environment)
                live.wait("still running")
                live.press("q")
                self.assertEqual(live.end(), 0)
                found = re.search(rb"\x1b\[([0-9;]*;)?3[1-8](;[0-9;]*)?m", live.raw)
                self.assertEqual(found is not None, colours)

    def test_draws_in_ascii_on_request_or_if_needed(self):
        live = self.live("--engine", "virtual", "--ascii")
        live.wait("still running")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assertTrue(live.raw.isascii())

    # Ends

    # Slow: waits in 14 sessions for a hang.
    def test_restores_the_terminal_however_it_ends(self):
        for arguments in [("--engine", "virtual"), ("--engine", "real", "--strategy", "main-thread")]:
            for end, status in [
                (lambda live: live.press("q"), 0), (lambda live: live.press("\x03"), 130),
                (lambda live: live.kill(signal.SIGINT), 130),
                (lambda live: live.kill(signal.SIGTERM), 143),
                (lambda live: live.kill(signal.SIGSEGV), -signal.SIGSEGV),
                (lambda live: live.kill(signal.SIGQUIT), -signal.SIGQUIT),
                (lambda live: live.kill(signal.SIGABRT), -signal.SIGABRT),
            ]:
                live = self.live(*arguments)
                live.wait("still running")
                end(live)
                self.assertEqual(live.end(), status)
                self.assert_restored(live)

    # Slow: waits in 9 windows for a hang.
    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_leaves_nothing_behind_in_a_window_that_was_made_larger(self):
        # tmux briefly restores the old size, and keeps the lines that then no longer fit.
        for columns, rows in [(81, 25), (120, 40), (200, 60)]:
            for key, end in [("q", "end=0"), ("C-c", "end=130"), ("C-z", "Stopped")]:
                window = Window(80, 24)
                self.addCleanup(window.close)
                window.wait("ready")
                window.press(f"echo before; {PROGRAM} live --engine virtual; echo end=$?", "Enter")
                window.wait("still running")
                window.resize(columns, rows)
                window.wait(lambda text: max(map(len, text.splitlines()), default=0) > 80)
                window.press(key)
                window.wait(end)
                self.assertEqual(window.text().splitlines()[0].split(";")[0], "ready echo before")
                self.assertNotIn("▒", window.text())
                window.close()

    def test_suspends_and_resumes(self):
        # Needs a shell with job control: Ctrl-Z does not stop a process that no shell waits for.
        shell = Session(["bash", "--norc", "--noprofile", "-i"], PS1="ready ")
        self.addCleanup(shell.close)
        shell.wait("ready")
        shell.press(f"{PROGRAM} live --engine virtual\n")
        shell.wait("still running")
        asked = shell.raw.count(b"\x1b[?1000h")
        shell.press("\x1a")
        shell.wait("Stopped")
        self.assert_restored(shell)
        shell.press("clear; stty -a | grep -ow -e -*icanon; fg\n")
        shell.wait("virtual engine")
        shell.wait("q quit")
        self.assertGreater(shell.raw.count(b"\x1b[?1000h"), asked)
        left = shell.raw.count(b"\x1b[?1049l")
        shell.press("q")
        shell.wait(lambda shell: shell.raw.count(b"\x1b[?1049l") > left)
        shell.press("echo end=$?; exit\n")
        shell.wait("end=0")
        # The output of the program comes before that of the shell.
        self.assert_restored(shell)

    def test_a_trap_in_a_thread_is_shown_on_the_restored_terminal(self):
        if not shutil.which("cc"):
            self.skipTest("needs a C compiler")
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "trap.c"), os.path.join(folder, "trap.so")
            with open(source, "w") as file:
                file.write(TRAP)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-lpthread"], check=True)
            live = self.live("--engine", "real", LD_PRELOAD=library, TRAP=os.path.join(folder, "now"))
            live.wait(self.has_frames)
            with open(os.path.join(folder, "now"), "w"):
                pass
            self.assertEqual(live.end(), -signal.SIGILL)
            self.assert_restored(live)
            told = live.raw.rfind(b"planted trap")
            self.assertGreater(told, live.raw.rfind(b"\x1b[?1049l"))

    # No terminal

    # Slow: waits for lines, one each second.
    def test_prints_the_reason_and_lines_without_a_terminal(self):
        arguments = [PROGRAM, "live", "--engine", "virtual", "--duration", "2 s"]
        for term, message in [
            ("dumb", "cannot move its cursor"), ("no-such-terminal", "is not a terminal that this"),
        ]:
            live = self.live(*arguments[2:], TERM=term)
            self.assertEqual(live.end(), 0)
            self.assertIn(message, live.raw.decode())
            self.assertIn("main-thread  dropped 60", live.raw.decode())
        piped = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(piped.returncode, 0)
        self.assertIn("not both a terminal", piped.stderr)
        lines = piped.stdout.splitlines()
        # One line each second; on a busy machine the run of two seconds takes longer.
        self.assertGreaterEqual(len(lines), 3)
        self.assertRegex(lines[-1], "^main-thread: HANGS: .* until the end, by business logic; 60 of 120 frames dropped; ")

    def test_refuses_what_it_cannot_show(self):
        for arguments, status, message in [
            (["no-such"], 66, "cannot open no-such"),
            (["no-such.csv"], 66, "no-such.csv: cannot be opened"),
            (["/dev/null/x.csv"], 66, "cannot be opened"),
            (["/dev/zero.csv"], 66, "cannot be opened"),
            (["--strategy", "schedulabel"], 64, "did you mean 'schedulable'"),
            (["--strategy", "schedulable,main-thread"], 64, "add --engine virtual"),
            (["--engine", "virtual", "--strategy", "all"], 64, "at most 4"),
            (["--engine", "both"], 64, "engine"),
            (["--cores", "0"], 64, "--cores"),
        ]:
            with self.subTest(arguments=arguments):
                done = subprocess.run(
                    [PROGRAM, "live", *arguments], capture_output=True, text=True,
                    stdin=subprocess.DEVNULL)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(message, done.stderr)


TRAP = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *run(void *nothing) {
  while (access(getenv("TRAP"), F_OK) != 0) usleep(10000);
  (void)!write(2, "planted trap\\n", 13);
  __builtin_trap();
  return nothing;
}
__attribute__((constructor)) static void start(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
}
"""


class WithoutTerminalTest(unittest.TestCase):
    def test_the_last_line_and_the_verdict_are_those_of_run(self):
        """Also where a task outlasts the run, which then ends as planned."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tail.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TAIL)
            # If the machine stands still before the task, its hang is shorter; around it, the machine drops frames, too.
            for _ in range(5):
                verdict, own = self.outcome(path)
                if re.search(HANG, verdict) and own >= 30:
                    break
        self.assertRegex(verdict, HANG)
        self.assertGreaterEqual(own, 30)

    def outcome(self, path):
        """The verdict on a run of the scenario, and the frames in it that the app dropped."""
        live = subprocess.run([PROGRAM, "live", path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(live.returncode, 0, live.stderr)
        *lines, verdict = live.stdout.splitlines()
        times = [float(line.split(" s ")[0]) for line in lines]
        self.assertEqual(times, sorted(times))
        self.assertLessEqual(times[-1], 1)
        dropped = [int(re.search(r"dropped (\d+)", line)[1]) for line in lines]
        self.assertEqual(dropped, sorted(dropped))
        self.assertLessEqual(dropped[-1], 60)
        self.assertIn("items 0 done, 1 pending", lines[-1])
        found = re.search(r"(\d+) of 60 frames", verdict)
        self.assertIsNotNone(found, verdict)
        self.assertIn("1 item left undone", verdict)
        # What the machine dropped besides is not the app's.
        self.assertLessEqual(int(found[1]), dropped[-1])
        return verdict, int(found[1])


HANG = "HANGS: [67][0-9]{2} ms until the end, by business logic"
TAIL = """scenario: tail
display: {refresh: 60 Hz, render: 2 ms}
duration: 1 s
services: {files: {}}
workloads:
  - name: task
    arrival: {once: 1, start: 300 ms}
    steps: [{service: files, cpu: 1500 ms}]
strategies: [main-thread]
"""


if __name__ == "__main__":
    unittest.main()
