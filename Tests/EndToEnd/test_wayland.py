"""Shows Wayland clients in `live`. FRAMEBUDGET names the program; the last tests need Weston and real clients."""
import contextlib
import csv
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import browser
from terminal import PATIENCE, FolderTest, Session, start_weston, usual_signals

PROGRAM = os.environ["FRAMEBUDGET"]
NEEDS_WESTON = unittest.skipUnless(shutil.which("weston"), "no weston: no real Wayland client is shown")

# Writes the log of a client on a display of 60 Hz. Its argument says what it does besides.
CLIENT = r"""
import os, random, select, subprocess, sys, time
PERIOD = 1 / 60
what, requests, shown = sys.argv[1], 0, 0

def log(text):
    time_us = int(time.time() * 1e6) % (1 << 32)
    line = b"[%7d.%03d] %s\n" % (time_us // 1000, time_us % 1000, text.encode())
    # At once, the log is the same on a machine that stands still.
    sys.stderr.buffer.write(line) if what == "feedback" else os.write(2, line)

def commit():
    global requests
    log(f" -> wl_surface@7.frame(new id wl_callback@{100 + requests})")
    log(" -> wl_surface@7.commit()")
    requests += 1

def feedback(number, vsync):
    # The frame of request `number` was shown by that vsync.
    ns = round(vsync * PERIOD * 1e9)
    log(f"wp_presentation_feedback@{500 + number}.presented(0, {ns // 10**9}, {ns % 10**9}, 16666666, 0, 1, 7)")

def rest(seconds):
    select.select([], [], [], max(0, seconds))

def frame(hang=None):
    # Waits for the compositor's call as an event loop does; a hang is no such wait.
    vsync = int(time.monotonic() / PERIOD) + 1
    if hang:
        before = time.monotonic()
        hang()
        os.write(2, b"planted %.1f\n" % (1000 * (time.monotonic() - before)))
    rest(vsync * PERIOD - time.monotonic())
    log(f"wl_callback@{99 + requests}.done({int(vsync * PERIOD * 1000)})")
    commit()

def draw(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        frame()

def busy(ms):
    end = time.monotonic() + ms / 1000
    while time.monotonic() < end:
        pass

if what == "launcher":
    log(" -> wl_display@1.get_registry(new id wl_registry@2)")
    subprocess.Popen(["sleep", "1000"])
    sys.exit(0)
if what == "nonsense":
    chance = random.Random(1)
    log(" -> wl_surface@7.commit()")
    for _ in range(200):
        os.write(2, chance.randbytes(10_000))
        os.write(2, b"\n\x1b[31m[1.000] wl_surface@99999999999.commit()\n" + b"x" * 100_000)
    sys.exit(0)
os.write(1, b"first words\n")
log("wl_output@10.mode(3, 1024, 640, 60000)")
for line in ["wl_compositor@4.create_surface(new id wl_surface@7)",
             "xdg_wm_base@12.get_xdg_surface(new id xdg_surface@13, wl_surface@7)",
             "xdg_surface@13.get_toplevel(new id xdg_toplevel@14)",
             "xdg_toplevel@14.set_title(\"A \x07 window\")"]:
    log(" -> " + line)
with open("pids", "w") as pids:
    pids.write(f"{os.getpid()} {subprocess.Popen(['sleep', '1000'], stderr=subprocess.DEVNULL).pid}")
commit()
if what != "feedback":
    draw(1)
if what == "hangs":
    for ms in range(40, 641, 20):
        frame(lambda: busy(ms) if ms % 40 else time.sleep(ms / 1000))
        draw(0.2)
if what == "hang":
    while True:
        frame(lambda: busy(3000))
        # Nothing follows for a while, so that the view shows the hang as the last late frame.
        draw(0.5)
        rest(2)
if what == "rest":
    # Each rest begins with a byte in a file, and ends with one in the pipe.
    pipe, begun = os.open("pipe", os.O_RDWR), open("begun", "wb", buffering=0)
    for step in range(12):
        begun.write(b".")
        select.select([pipe], [], [])
        os.read(pipe, 1)
        if step % 2 == 0:
            log("wl_callback@%d.done(%d)" % (99 + requests, time.monotonic() * 1000))
        else:
            commit()
    draw(1000)
if what == "feedback":
    # A compositor that shows each frame at the vsync after its call, and every tenth one some vsyncs later.
    chance, vsync = random.Random(2), 1000
    for _ in range(300):
        log(f"wl_callback@{99 + requests}.done({vsync * 1000 // 60})")
        log(f" -> wp_presentation@5.feedback(wl_surface@7, new id wp_presentation_feedback@{500 + requests})")
        commit()
        vsync += chance.randint(2, 9) if requests % 10 == 0 else 1
        feedback(requests - 1, vsync)
    log(f"wl_callback@{99 + requests}.done({vsync * 1000 // 60})")
    sys.stderr.buffer.flush()
if what == "late":
    # Waits for events, with a frame that was called for and is not drawn.
    import ctypes
    ctypes.CDLL("libwayland-client.so.0")
    log("wl_callback@%d.done(%d)" % (99 + requests, time.monotonic() * 1000))
    open("begun", "w").close()
    select.select([], [], [])
if what == "draw":
    draw(1000)
os.write(2, b"last words\n")
sys.exit(3)
"""

# A window of Qt Widgets that always changes.
QT = r"""
import sys
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QApplication, QWidget

class Window(QWidget):
    painted = 0

    def paintEvent(self, event):
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        painter.fillRect(self.painted % 200, 10, 50, 50, Qt.GlobalColor.red)
        painter.end()
        self.painted += 1
        self.update()

app = QApplication(sys.argv)
window = Window()
window.resize(300, 200)
window.show()
sys.exit(app.exec())
"""
PAGE = """<!doctype html><title>A page</title><div id="box" style="position: absolute">text</div><script>
let frames = 0;
function draw() { box.style.left = frames++ % 300 + 'px'; requestAnimationFrame(draw); }
requestAnimationFrame(draw);
</script>"""


class WrittenLog:
    """The surfaces in a log of libwayland, read apart from the program: commits, requests, and the frames of each."""

    MESSAGE = re.compile(
        r"\[ *(?:(\d+):(\d+):)?(\d+)\.(\d+)\] *(?:{[^}]*} *)?(discarded )?(?: *(->) )?([\w\[\]]+)([@#]\d+)\.(\w+)\((.*)\)$")

    def __init__(self, text):
        # By object: the surface of a callback, and the frame of a feedback.
        self.surfaces, self.callbacks, self.feedbacks = {}, {}, {}
        for line in text.splitlines():
            found = self.MESSAGE.search(line)
            if found:
                self.take(*found.groups())

    def take(self, hours, minutes, seconds, fraction, discarded, sent, interface, number, message, arguments):
        day = (int(hours) * 60 + int(minutes)) * 60_000 if hours else 0
        now = day + (1000 * int(seconds) if hours else int(seconds)) + int(fraction) / 1000
        name, objects = interface + number, re.findall(r"(?:wl_surface|wp_presentation_feedback|wl_callback)[@#]\d+", arguments)
        if sent and message == "create_surface":
            self.surfaces[objects[0]] = Surface()
        elif sent and message == "sync":
            self.callbacks.pop(objects[0], None)
        elif sent and message == "frame":
            self.callbacks[objects[0]] = name
            self.surfaces[name].request(objects[0])
        elif sent and message == "feedback":
            self.surfaces[objects[0]].feedbacks.append(objects[1])
        elif sent and message == "commit":
            frame, feedbacks = self.surfaces[name].commit(now)
            self.feedbacks.update((feedback, frame) for feedback in feedbacks)
        elif interface == "wl_callback" and name in self.callbacks:
            self.surfaces[self.callbacks.pop(name)].call(name, now, None if discarded else int(arguments))
        elif message == "presented" and self.feedbacks.get(name):
            high, low, nanoseconds = [int(number) for number in arguments.split(", ")[:3]]
            self.feedbacks[name].setdefault("presented", 1000 * ((high << 32) + low) + nanoseconds / 1e6)


class Surface:
    def __init__(self):
        self.commits, self.requests, self.frames, self.feedbacks = 0, 0, [], []
        self.requested, self.awaited, self.called, self.is_open = [], [], None, False

    def request(self, callback):
        # OpenGL's driver can request a callback for the same commit.
        self.requests += not self.requested
        self.requested.append(callback)

    def commit(self, now):
        """The frame that it is or changes, and its feedbacks."""
        self.commits += 1
        # Qt can draw a frame without a request, and at once again with one.
        is_same = self.is_open and now - self.frames[-1]["committed"] < 8
        if self.called or (self.requested and not self.awaited and not is_same):
            self.frames.append({"called": self.called, "committed": now})
            self.is_open = not self.requested
        elif self.requested:
            self.is_open = False
        frame = self.frames[-1] if self.frames else None
        self.awaited, self.called = self.requested or self.awaited, None
        feedbacks, self.feedbacks, self.requested = self.feedbacks, [], []
        return frame, feedbacks

    def call(self, callback, now, done):
        """The compositor calls, or the client has destroyed the callback."""
        if callback not in self.awaited:
            return
        self.awaited = []
        if done is None:
            return
        self.called = (now, done)
        if self.frames:
            self.frames[-1].setdefault("next", self.called)


class WaylandTest(FolderTest):
    def setUp(self):
        super().setUp()
        with open("client.py", "w", encoding="utf-8") as client:
            client.write(CLIENT)
        # The place of a compositor's socket; the client above does not connect.
        with open("wayland-0", "w", encoding="utf-8"):
            pass
        self.environment = {"XDG_RUNTIME_DIR": self.folder, "WAYLAND_DISPLAY": "wayland-0"}

    def live(self, *command, columns=140, rows=45):
        session = Session([PROGRAM, "live", "--", *command], columns=columns, rows=rows, **self.environment)
        self.addCleanup(session.close)
        return session

    def client(self, what, **options):
        live = self.live(sys.executable, "client.py", what, **options)
        live.wait(lambda live: re.search(r" of [1-9]\d+ frames", live.text()))
        return live

    def run_program(self, *command, **environment):
        return subprocess.run(
            [PROGRAM, "live", "--", *command], capture_output=True, text=True, errors="surrogateescape", check=False,
            preexec_fn=usual_signals, stdin=subprocess.DEVNULL, timeout=PATIENCE,
            env={**os.environ, **self.environment, **environment})

    def assert_nothing_left(self):
        with open("pids", encoding="utf-8") as file:
            pids = [int(pid) for pid in file.read().split()]
        self.assertEqual(len(pids), 2)
        end = time.monotonic() + PATIENCE
        while any(os.path.exists(f"/proc/{pid}") for pid in pids):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    # What is no client

    def assert_refused(self, ended, status, *words):
        self.assertEqual((ended.returncode, ended.stdout), (status, ""), ended.stderr)
        lines = [line for line in ended.stderr.splitlines() if "a line per second instead" not in line]
        self.assertEqual(len(lines), 1, ended.stderr)
        self.assertNotIn("\x1b", ended.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def test_without_a_compositor_it_says_what_is_missing(self):
        self.assert_refused(
            self.run_program("true", WAYLAND_DISPLAY="elsewhere"), 69, "no Wayland compositor: ", "elsewhere does not exist")
        self.assert_refused(self.run_program("true", XDG_RUNTIME_DIR=""), 69, "XDG_RUNTIME_DIR is not set")

    # Slow: waits for a log that never comes.
    def test_what_is_no_client_is_told_in_a_line(self):
        self.assert_refused(self.run_program("no-such-program"), 66, "cannot start no-such-program: no such program exists")
        self.assert_refused(self.run_program("true"), 69, "true has ended with status 0 without a Wayland log")
        self.assert_refused(
            self.run_program("sh", "-c", "echo $WAYLAND_DEBUG; printf 'no \\033[31m display'; exit 4"), 69,
            "sh has ended with status 4 without a Wayland log; its last words: no \\u{1B}[31m display")
        self.assert_refused(self.run_program("sleep", "1000"), 69, "sleep wrote no Wayland log in 10")

    # How a client ends

    def test_a_client_that_ends_is_told_and_what_was_seen_is_kept(self):
        live = self.client("end")
        live.wait("has ended with status 3, and the process that it left with it; the view keeps what was seen")
        live.wait("ended")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assertRegex(live.text(), r"wrote:\s+first words\s+last words")
        self.assert_nothing_left()

    def test_without_a_terminal_there_is_a_line_per_second_until_the_end(self):
        ended = self.run_program(sys.executable, "client.py", "end")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, r"(?m)^\d+\.\d s  A \\u\{0?7\} window  dropped \d+ ")
        commits, frames = re.search(r"; (\d+) commits, (\d+) frames wanted", ended.stdout).groups()
        self.assertEqual(commits, frames)
        self.assertRegex(ended.stderr, r"(?s)has ended with status 3, .*wrote:\nfirst words\nlast words\n\Z")
        self.assertNotIn("\x1b", ended.stdout + ended.stderr)

    def test_a_launcher_that_leaves_its_app_is_told(self):
        ended = self.run_program(sys.executable, "client.py", "launcher")
        self.assertIn("has ended with status 0, and the process that it left with it", ended.stderr)

    def test_nonsense_is_shown_as_words_and_harms_nothing(self):
        ended = self.run_program(sys.executable, "client.py", "nonsense")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stderr, r"has ended with status 0\n.* wrote \(\d+ earlier lines are left out\):\n")
        self.assertNotIn("\x1b", ended.stderr)
        self.assertLess(len(ended.stderr), 200_000)

    def test_it_ends_its_client_however_it_ends(self):
        for end in ["q", signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]:
            with self.subTest(end=end):
                live = self.client("draw")
                if end == "q":
                    live.press("q")
                else:
                    live.kill(end)
                status = live.end()
                self.assertIn(status, [0] if end == "q" else [128 + end, -end])
                if end not in (signal.SIGKILL, signal.SIGHUP):
                    self.assertIn("was ended with the view", live.text())
                self.assert_nothing_left()

    # Frames

    def test_a_hang_is_shown_while_it_lasts(self):
        live = self.client("hang", columns=80, rows=24)

        def is_named(live):
            return re.search(r"last late frame (2\.9|3(\.\d)?) s\b", live.text())
        # The next call completes the frame. On a busy machine another late frame may follow at once.
        end = time.monotonic() + PATIENCE
        live.wait("HANGS:")
        while not is_named(live):
            self.assertLess(time.monotonic(), end, live.text())
            live.wait(lambda live: "HANGS:" not in live.text())
            live.wait(lambda live: is_named(live) or "HANGS:" in live.text())
        live.press("a")
        live.wait("no advice: a Wayland log does not say what takes the time")
        live.press("s")
        live.wait("an attached window runs by itself")
        live.press("r")
        live.press("q")
        self.assertEqual(live.end(), 0)

    @staticmethod
    def rests():
        """The number of rests that the client has begun, if it sleeps."""
        with contextlib.suppress(OSError):
            begun = os.path.getsize("begun")
            with open("pids", encoding="utf-8") as pids, open(f"/proc/{pids.read().split()[0]}/stat", encoding="utf-8") as stat:
                return begun if stat.read().rpartition(")")[2].split()[0] == "S" else 0
        return 0

    # Slow: rests for some seconds.
    def test_a_client_that_rests_does_not_hang(self):
        os.mkfifo("pipe")
        live = self.client("rest")
        for rests in range(1, 13):
            live.wait(lambda live: self.rests() == rests)
            # On a busy machine a client that waits for a core counts as a hang. Its words can stay until more frames come, but
            # no others follow once the view has looked at the rest, as the answer to a key shows.
            key, answer = [("s", "an attached window runs by itself"), ("a", "no advice: ")][rests % 2]
            live.press(key)
            live.wait(answer)
            before = live.hangs()
            self.assertLessEqual(live.hangs(1), before)
            with open("pipe", "wb", buffering=0) as pipe:
                pipe.write(b".")

        def draws(live):
            found = re.search(r"(\d+) commits", live.text())
            return found and int(found[1]) > 80 and "HANGS:" not in live.text()
        live.wait(draws)
        live.press("q")
        self.assertEqual(live.end(), 0)

    # Slow: rests for some seconds.
    @NEEDS_WESTON
    def test_a_client_of_a_script_that_loads_the_library_late_does_not_hang(self):
        live = self.live("sh", "-c", f"{sys.executable} client.py late; true")
        live.wait(lambda live: os.path.exists("begun"))
        # Until the library is seen, the script counts as the client. A hang would have other words five times a second.
        calm = time.monotonic()
        end = calm + PATIENCE
        while time.monotonic() < calm + 2:
            live.read()
            if "HANGS:" in live.text():
                calm = time.monotonic()
            self.assertLess(time.monotonic(), end)
        live.press("q")
        self.assertEqual(live.end(), 0)

    # Slow: plants thirty hangs of up to 640 ms. Beside other load, which adds waits of its own, it proves nothing.
    @unittest.skipUnless("FRAMEBUDGET_QUIET" in os.environ, "measures a quiet machine: FRAMEBUDGET_QUIET=1")
    def test_planted_hangs_are_found_with_their_length(self):
        live = self.client("hangs")
        live.wait("has ended with status 3")
        commits, wanted = re.search(r"(\d+) commits, (\d+) frames wanted", live.text()).groups()
        live.press("w")
        live.wait("saved frames-window.csv")
        live.press("q")
        self.assertEqual(live.end(), 0)
        planted = [float(ms) for ms in re.findall(r"planted ([\d.]+)", live.text())]
        with open("frames-window.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual((len(rows), commits), (int(wanted), wanted))
        waits = [float(row["logic_ms"]) + float(row["wakeup_ms"]) for row in rows]
        self.assertEqual(len(planted), 31)
        found, place = 0, 0
        for length in planted:
            near = next((place + step for step, wait in enumerate(waits[place:]) if abs(wait - length) <= 1000 / 60 + 1), None)
            if near is not None:
                found, place = found + 1, near + 1
        self.assertGreaterEqual(found, 30, f"{planted} {[wait for wait in waits if wait > 3]}")

    # Real clients

    def weston(self):
        os.remove("wayland-0")
        start_weston(self, self.environment)

    def run_beside_log(self, *client):
        """Runs a client in the view. Returns the surface that it shows, from a copy of the same log, and the saved frames."""
        # Keeps a copy of the log, and ends the client once that has enough frames. On a busy machine a client may write nothing
        # for longer than the view waits for a log, so a message of no effect comes first.
        script = r'''
            now=$(($(date +%s%N) / 1000 % (1 << 32)))
            printf '[%7d.%03d]  -> wl_display@1.get_registry(new id wl_registry@2)\n' $((now / 1000)) $((now % 1000)) >&2
            : >"$0"; exec 3>&2 2> >(tee "$0" >&2); copy=$!; "$@" & client=$!
            while kill -0 $client && [ $(grep -ac '\.frame(' "$0") -lt 300 ]; do sleep 0.1; done
            exec 2>&3; kill $client; wait $client $copy'''
        live = self.live("bash", "-c", script, f"{self.folder}/log", *client)
        live.wait("has ended with status")
        live.wait("ended")
        commits, requests = re.search(r"(\d+) commits?, (\d+) frames? wanted", live.text()).groups()
        live.press("w")
        live.wait("saved frames-window.csv")
        live.press("q")
        self.assertEqual(live.end(), 0)
        with open("log", encoding="utf-8", errors="replace") as file:
            log = WrittenLog(file.read())
        with open("frames-window.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        os.remove("frames-window.csv")
        counts = [(surface.commits, surface.requests) for surface in log.surfaces.values()]
        self.assertIn((int(commits), int(requests)), counts)
        return list(log.surfaces.values())[counts.index((int(commits), int(requests)))], rows

    def assert_same_frames(self, surface, rows, least=60, slowest=60):
        """Every frame of the log is a row, and as many vsyncs after the one before as the compositor says. One that the client
        commits more than `slowest` milliseconds after the call is not compared."""
        self.assertEqual(len(rows), len(surface.frames))
        self.assertGreater(len(rows), least)
        compared, without = 0, 0
        for number, (before, frame) in enumerate(zip(surface.frames, surface.frames[1:]), 1):
            vsyncs = int(rows[number]["present_vsync"]) - int(rows[number - 1]["present_vsync"])
            self.assertGreater(vsyncs, 0, number)
            # The last frame waits for the next call; others come before or after a pause.
            if not frame["called"] or "next" not in frame or frame["committed"] - frame["called"][0] > slowest:
                continue
            if any(each["next"][0] - each["committed"] > 200 for each in (before, frame) if "next" in each):
                continue
            called = frame["next"][1] - frame["called"][1]
            # The view can have taken a wait before it for a rest, behind which vsyncs are not known.
            if frame["committed"] - frame["called"][0] > 60 and not self.is_interval(vsyncs, called):
                continue
            compared += 1
            if "presented" in frame and "presented" in before:
                if self.is_interval(vsyncs, frame["presented"] - before["presented"]):
                    continue
                # Where the view stands still, it does not wait for the feedback.
                without += 1
            self.assertTrue(self.is_interval(vsyncs, called), (number, vsyncs, before, frame))
        self.assertGreater(compared, least // 2)
        self.assertLess(without, 0.1 * compared)

    @staticmethod
    def is_interval(vsyncs, ms):
        """Whether it has that many vsyncs. Weston's screen without hardware shows images at any time, the view at 60 Hz."""
        exact = ms * 60 / 1000
        is_clear = abs(exact - round(exact)) < 0.1 and 0.5 < exact < 4
        return vsyncs == round(exact) if is_clear else abs(vsyncs - exact) < 1

    def test_frames_are_shown_at_the_times_of_the_feedback(self):
        with open("log.py", "w", encoding="utf-8") as file:
            file.write(CLIENT)
        surface, rows = self.run_beside_log(sys.executable, "log.py", "feedback")
        self.assertEqual(len(rows), len(surface.frames))
        times = [(1000 / 60 * int(row["present_vsync"]), frame["presented"])
                 for row, frame in zip(rows, surface.frames) if "presented" in frame]
        self.assertEqual(len(times), 300)
        for shown, presented in times:
            self.assertLess(abs(shown - times[0][0] - (presented - times[0][1])), 1)

    # Slow: runs each client for some seconds.
    @NEEDS_WESTON
    def test_every_commit_of_real_clients_is_shown(self):
        with open("window.py", "w", encoding="utf-8") as file:
            file.write(QT)
        with open("page.html", "w", encoding="utf-8") as file:
            file.write(PAGE)
        self.environment |= {
            "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "QT_QPA_PLATFORM": "wayland"}
        has_qt = subprocess.run(
            ["/usr/bin/python3", "-c", "import PyQt6.QtWidgets"], capture_output=True, check=False).returncode == 0
        clients = [
            # What it needs, whether it is there, the command, and whether the client asks for feedback.
            ("Debian: gtk-4-examples", shutil.which("gtk4-demo"), ["gtk4-demo", "--run=frames"], False),
            ("Debian: gtk-4-examples", shutil.which("gtk4-demo"), [
                "env", "GSK_RENDERER=gl", "gtk4-demo", "--run=frames"], False),
            ("Debian: qt6-wayland python3-pyqt6", has_qt, ["/usr/bin/python3", "window.py"], False),
            ("Debian: weston", shutil.which("weston-simple-shm"), ["weston-simple-shm"], False),
            ("Debian: weston", shutil.which("weston-presentation-shm"), ["weston-presentation-shm", "-f"], True),
            ("Debian: chromium", browser.path(), [
                browser.path(), "--no-sandbox", "--ozone-platform=wayland", "--no-first-run",
                f"--user-data-dir={self.folder}/profile", f"--app=file://{self.folder}/page.html"], True)]
        self.weston()
        for package, is_there, command, has_feedback in clients:
            with self.subTest(client=command):
                if not is_there:
                    self.skipTest(f"not shown: the client of {package}")
                surface, rows = self.run_beside_log(*command)
                # OpenGL without hardware can take longer for every frame.
                self.assert_same_frames(surface, rows, slowest=150 if "GSK_RENDERER=gl" in command else 60)
                presented = sum("presented" in frame for frame in surface.frames)
                self.assertEqual(presented > 0.9 * len(rows), has_feedback)

    @staticmethod
    def frames(live):
        """The frames that were dropped, and all."""
        found = re.search(r"(\d+) of (\d+) frames", live.text())
        return (int(found[1]), int(found[2])) if found else (0, 0)

    # Slow: stops a client for some seconds.
    @NEEDS_WESTON
    def test_a_client_that_is_stopped_goes_on_without_a_hang(self):
        self.weston()
        live = self.live("weston-simple-shm")
        live.wait(lambda live: self.frames(live)[1] >= 100)
        pid = int(subprocess.run(["pgrep", "-n", "-x", "weston-simple-s"], capture_output=True, check=True).stdout)
        # A busy machine drops frames besides, and a hang of its own may be on the screen when the client is stopped.
        for _ in range(3):
            before, _ = self.frames(live)
            os.kill(pid, signal.SIGSTOP)
            live.wait("is stopped")
            hangs = live.hangs()
            self.assertLessEqual(live.hangs(8), hangs)
            os.kill(pid, signal.SIGCONT)
            live.wait("goes on")
            _, count = self.frames(live)
            live.wait(lambda live: self.frames(live)[1] > count + 60)
            dropped = self.frames(live)[0] - before
            # At 40 Hz it would have dropped 320 in that time.
            if not hangs and dropped < 160:
                break
        else:
            self.fail(f"{dropped} frames dropped, {hangs}")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assertIn("weston-simple-shm was ended with the view", live.text())


if __name__ == "__main__":
    unittest.main()
