"""Runs programs in a pseudo-terminal and reads their screens. Polls for texts instead of sleeping a fixed time."""
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

import pexpect
import pyte

# Far longer than anything tested takes on a busy machine, so that only failures wait this long.
PATIENCE = 300
# A search for advice can have the lowest priority: beside busy cores a second of it takes minutes.
SEARCH = 1800


class FolderTest(unittest.TestCase):
    """Tests that run in an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        here = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)


def usual_signals():
    """Restores the signals that a program in the background of a script ignores, as in a terminal."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def start_weston(test, environment):
    """Starts a compositor of 60 Hz without a screen in the folder of `test`, where `environment` has its socket."""
    os.chmod(test.folder, 0o700)
    with open("weston.ini", "w", encoding="utf-8") as file:
        file.write("[core]\nrepaint-window=16\nidle-time=0\n")
    with open("weston.log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            ["weston", "--backend=headless-backend.so", "--socket=wayland-0", "-c", f"{test.folder}/weston.ini"],
            env={**os.environ, **environment}, stdout=log, stderr=log)
    test.addCleanup(process.wait)
    test.addCleanup(process.kill)
    end = time.monotonic() + PATIENCE
    while not os.path.exists("wayland-0"):
        test.assertLess(time.monotonic(), end)
        test.assertIsNone(process.poll())
        time.sleep(0.05)


class Session:
    """Runs `command` in a terminal of the given size; `screen` is the visible screen."""

    def __init__(self, command, columns=80, rows=24, **environment):
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LC_ALL", "LC_CTYPE")}
        # pyte does not support REP, which xterm's terminfo entry uses for runs of a character.
        env.update(TERM="screen-256color", LANG="C.UTF-8", SWIFT_BACKTRACE="enable=no")
        env.update(environment)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.child = pexpect.spawn(
            command[0], command[1:], dimensions=(rows, columns), env=env, timeout=None,
            preexec_fn=usual_signals)
        self.child.delaybeforesend = None

    def read(self, seconds=0.05):
        try:
            # Little enough that what is drawn and erased again is seen in between, also if much has come meanwhile.
            data = self.child.read_nonblocking(1 << 11, seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    def text(self):
        return "\n".join(self.screen.display)

    def wait(self, wanted, seconds=PATIENCE):
        """Reads until `wanted`, a text or a predicate of the session, holds for the screen."""
        is_there = wanted if callable(wanted) else lambda session: wanted in session.text()
        end = time.monotonic() + seconds
        while not is_there(self):
            assert self.read(), f"ended before {wanted!r}:\n{self.text()}"
            assert time.monotonic() < end, f"no {wanted!r} on the screen:\n{self.text()}"

    def hangs(self, seconds=0):
        """The hangs that the screen names within that time, in words: one that goes on has others five times a second."""
        words, end = set(), time.monotonic() + seconds
        while True:
            words.update(re.findall(r"HANGS:\s+\S+\s+\S+\s+\S+", self.text()))
            if time.monotonic() >= end:
                return words
            assert self.read(), f"ended:\n{self.text()}"

    def press(self, keys):
        self.child.send(keys)

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def kill(self, number):
        os.kill(self.child.pid, number)

    def end(self, seconds=PATIENCE):
        """Waits for the program's end and returns its exit status, negative for a signal that killed it."""
        end = time.monotonic() + seconds
        while self.read():
            assert time.monotonic() < end, f"does not end:\n{self.text()}"
        self.child.close()
        return -self.child.signalstatus if self.child.signalstatus else self.child.exitstatus

    def close(self):
        """Kills what still runs. A thread of lowest priority may take seconds to die on busy cores."""
        end = time.monotonic() + PATIENCE
        while self.child.isalive() and time.monotonic() < end:
            self.kill(signal.SIGKILL)
            time.sleep(0.05)
        self.child.close(force=True)


class Window:
    """A shell in a window of tmux, which keeps a normal screen behind the alternate screen of a program."""

    def __init__(self, columns, rows):
        self.server = f"framebudget-{uuid.uuid4()}"
        self.tmux(
            "new-session", "-d", "-s", "test", "-x", str(columns), "-y", str(rows),
            "env PS1='ready ' LANG=C.UTF-8 bash --norc --noprofile -i")

    def tmux(self, *arguments):
        command = ["tmux", "-u", "-L", self.server, "-f", "/dev/null", *arguments]
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout

    def text(self):
        return self.tmux("capture-pane", "-p", "-t", "test")

    def wait(self, wanted, seconds=PATIENCE):
        is_there = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + seconds
        while not is_there(self.text()):
            assert time.monotonic() < end, f"no {wanted!r} in the window:\n{self.text()}"
            time.sleep(0.05)

    def press(self, *keys):
        self.tmux("send-keys", "-t", "test", *keys)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-t", "test", "-x", str(columns), "-y", str(rows))

    def close(self):
        self.tmux("kill-server")
