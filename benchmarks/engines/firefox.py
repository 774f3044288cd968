"""Drives headless Firefox by Marionette, over a port of this machine; needs no driver but the browser."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

NAMES = ["firefox", "firefox-esr"]

# No start page, no updates, no reports; clocks without added noise, as a page with cross-origin isolation has them.
PREFERENCES = {
    "marionette.port": 0,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "privacy.reduceTimerPrecision": False,
}


def path():
    """The path of the browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Broken(Exception):
    """The browser has crashed or hangs, whatever the page is like."""


class Firefox:
    """One page of a browser with its own profile. As a context manager it closes the browser on exit, also after an exception."""

    PATIENCE = 120

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="framebudget-firefox-")
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as text:
            text.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
        # Only with system access may the profiler be started.
        self.process = subprocess.Popen(
            [path(), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.profile,
             "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.rest, self.socket = 0, b"", None
        try:
            self.socket = socket.create_connection(("127.0.0.1", self._port()), timeout=self.PATIENCE)
            self._next()
            self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "normal"}})
            self.call("WebDriver:SetTimeouts", script=1000 * self.PATIENCE)
        except BaseException:
            self.close()
            raise

    def _port(self):
        """The port that Marionette has chosen and written into the profile."""
        file = os.path.join(self.profile, "MarionetteActivePort")
        end = time.monotonic() + self.PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Broken("the browser has ended")
            if os.path.exists(file):
                with open(file, encoding="utf-8") as text:
                    if port := text.read().strip():
                        return int(port)
            time.sleep(0.1)
        raise Broken("Marionette opens no port")

    def _next(self):
        while True:
            length, colon, rest = self.rest.partition(b":")
            if colon and len(rest) >= int(length):
                self.rest = rest[int(length):]
                return json.loads(rest[:int(length)])
            part = self.socket.recv(1 << 20)
            if not part:
                raise Broken("the browser has ended")
            self.rest += part

    def call(self, command, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = self._next()
        if error or number != self.number:
            raise Broken(f"{command}: {error}")
        return result

    def open(self, url):
        self.call("WebDriver:Navigate", url=url)

    def run(self, script, *arguments, privileged=False):
        """The value of a script's `return`, or what it passes to the last of its arguments if it is privileged."""
        if not privileged:
            return self.call("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.call("WebDriver:ExecuteAsyncScript", script=script, args=list(arguments))["value"]
        finally:
            self.call("Marionette:SetContext", value="content")

    def record(self, file, seconds, features=(), interval=1.0, meanwhile=time.sleep):
        """Profiles the browser for that long, into `file`; `interval` is in ms."""
        self.run(
            "const [features, interval, done] = arguments;"
            "Services.profiler.StartProfiler(1 << 24, interval, features, ['GeckoMain', 'Compositor', 'Renderer', 'DOM Worker'])"
            ".then(() => done(), (error) => done(String(error)));", list(features), interval, privileged=True)
        meanwhile(seconds)
        problem = self.run(
            "const [file, done] = arguments;"
            "Services.profiler.dumpProfileToFileAsync(file).then(() => Services.profiler.StopProfiler())"
            ".then(() => done(), (error) => done(String(error)));", os.path.abspath(file), privileged=True)
        if problem:
            raise Broken(f"no profile: {problem}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.socket:
                self.call("Marionette:Quit", flags=["eForceQuit"])
                self.process.wait(30)
        except (Broken, OSError, subprocess.TimeoutExpired):
            pass
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()
            if self.socket:
                self.socket.close()
            shutil.rmtree(self.profile, ignore_errors=True)
