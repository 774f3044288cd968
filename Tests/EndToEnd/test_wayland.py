"""Shows Wayland clients in `live`. FRAMEBUDGET names the program; the last tests need Weston and GTK's demo."""
import collections
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

from terminal import PATIENCE, FolderTest, Session, usual_signals

PROGRAM = os.environ["FRAMEBUDGET"]
NEEDS_WESTON = unittest.skipUnless(
    shutil.which("weston") and shutil.which("gtk4-demo"), "no weston or gtk4-demo: no real Wayland client is shown")

# Writes the log of a client on a display of 60 Hz. Its argument says what it does besides.
CLIENT = r"""
import os, random, select, subprocess, sys, time
PERIOD = 1 / 60
what, requests, shown = sys.argv[1], 0, 0

def log(text):
    time_us = int(time.time() * 1e6) % (1 << 32)
    os.write(2, b"[%7d.%03d] %s\n" % (time_us // 1000, time_us % 1000, text.encode()))

def commit():
    global requests
    log(f" -> wl_surface@7.frame(new id wl_callback@{100 + requests})")
    log(" -> wl_surface@7.commit()")
    requests += 1

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
if what == "draw":
    draw(1000)
os.write(2, b"last words\n")
sys.exit(3)
"""


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
            words, end = set(), time.monotonic() + 1
            while time.monotonic() < end:
                live.read()
                words.update(re.findall(r"HANGS:\s+\S+\s+\S+\s+\S+", live.text()))
            # A hang has other words five times a second. On a busy machine a client that waits for a core counts as one, and
            # what was seen of it before the rest may be drawn later.
            self.assertLess(len(words), 3, words)
            with open("pipe", "wb", buffering=0) as pipe:
                pipe.write(b".")

        def draws(live):
            found = re.search(r"(\d+) commits", live.text())
            return found and int(found[1]) > 80 and "HANGS:" not in live.text()
        live.wait(draws)
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
        os.chmod(self.folder, 0o700)
        with open("weston.ini", "w", encoding="utf-8") as file:
            file.write("[core]\nrepaint-window=16\nidle-time=0\n")
        with open("weston.log", "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                ["weston", "--backend=headless-backend.so", "--socket=wayland-0", "-c", f"{self.folder}/weston.ini"],
                env={**os.environ, **self.environment}, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.monotonic() + PATIENCE
        while not os.path.exists("wayland-0"):
            self.assertLess(time.monotonic(), end)
            self.assertIsNone(process.poll())
            time.sleep(0.05)

    # Slow: runs each client for some seconds.
    @NEEDS_WESTON
    def test_every_commit_of_real_clients_is_shown(self):
        self.weston()
        for client in (["gtk4-demo", "--run=frames"], ["weston-simple-shm"]):
            with self.subTest(client=client[0]):
                # Keeps a copy of the log, and ends the client once that has enough frames.
                script = r'''
                    : >"$0"; exec 3>&2 2> >(tee "$0" >&2); copy=$!; "$@" & client=$!
                    while kill -0 $client && [ $(grep -ac '\.frame(' "$0") -lt 300 ]; do sleep 0.1; done
                    exec 2>&3; kill $client; wait $client $copy'''
                ended = self.run_program(
                    "bash", "-c", script, f"{self.folder}/log", *client, GDK_BACKEND="wayland", GSK_RENDERER="cairo",
                    GTK_A11Y="none")
                self.assertEqual(ended.returncode, 0, ended.stderr)
                with open("log", encoding="utf-8", errors="replace") as file:
                    text = file.read()
                counts = {
                    message: collections.Counter(re.findall(rf" -> wl_surface[@#](\d+)\.{message}\(", text))
                    for message in ("commit", "frame")}
                found = re.findall(r"; (\d+) commits, (\d+) frames wanted", ended.stdout)[-1]
                self.assertIn(
                    [int(number) for number in found],
                    [[commits, counts["frame"][surface]] for surface, commits in counts["commit"].items()], ended.stdout)
                self.assertGreater(int(found[1]), 60)

    # Slow: stops a client again and again.
    @NEEDS_WESTON
    def test_a_stopped_client_hangs(self):
        self.weston()
        live = self.live("weston-simple-shm")
        live.wait(lambda live: re.search(r" of [1-9]\d+ frames", live.text()))
        pid = int(subprocess.run(["pgrep", "-n", "-x", "weston-simple-s"], capture_output=True, check=True).stdout)
        os.kill(pid, signal.SIGSTOP)
        live.wait("HANGS:")
        time.sleep(0.5)
        os.kill(pid, signal.SIGCONT)
        live.wait(lambda live: "HANGS:" not in live.text())
        live.wait("last late frame")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assertIn("weston-simple-shm was ended with the view", live.text())


if __name__ == "__main__":
    unittest.main()
