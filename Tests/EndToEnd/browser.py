"""Drives headless Chromium over the DevTools protocol through a pair of pipes; needs no driver but the browser."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]


def path():
    """The path of the browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Broken(Exception):
    """The browser has crashed or hangs, whatever the page is like."""


class Browser:
    """One page of a browser with its own profile. Records every request and every console message.

    As a context manager it closes the browser on exit, also after an exception."""

    # Silence for more seconds than this is a failure. On a busy machine axe-core examines a page for minutes.
    PATIENCE = 1200

    def __init__(self, *options):
        self.profile = tempfile.mkdtemp(prefix="framebudget-browser-")
        (reads, self.commands), (self.answers, writes) = os.pipe(), os.pipe()

        def pipes():
            # The browser reads commands from 3 and writes answers to 4.
            ends = [os.dup(reads), os.dup(writes)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [path(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", *options, "about:blank"],
            preexec_fn=pipes, pass_fds=(3, 4, reads, writes), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        self.number, self.rest, self.session = 0, b"", None
        self.requests, self.messages, self.events, self.newest = [], [], [], {}
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Network", "Runtime", "Log", "Inspector"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setScrollbarsHidden", hidden=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Broken(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)
            if answer.get("method") == "Inspector.targetCrashed":
                raise Broken(f"{method}: the page's process has crashed")

    def of_browser(self, method, **parameters):
        """Like `call`, for the browser instead of its page."""
        session, self.session = self.session, None
        try:
            return self.call(method, **parameters)
        finally:
            self.session = session

    def wait(self, event):
        """Waits for an event of that name and returns the newest one's parameters."""
        while event not in self.newest:
            self._note(self._next())
        return self.newest.pop(event)

    def leave(self, seconds):
        """Lets the page run for that long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if b"\0" in self.rest or select.select([self.answers], [], [], left)[0]:
                self._note(self._next())

    def _next(self):
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], self.PATIENCE)[0]:
                raise Broken("the browser says nothing")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise Broken("the browser has ended")
            self.rest += part
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        self.events.append(method)
        self.newest[method] = parameters
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.messages.append(json.dumps(parameters)[:500])

    def open(self, file, query="", width=1400, height=900, dark=False, media="", script=True):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.requests, self.messages, self.events = [], [], []
        self.call("Page.navigate", url=f"file://{os.path.abspath(file)}" + (query and f"?{query}"))
        end = time.monotonic() + self.PATIENCE
        while "Page.loadEventFired" not in self.events:
            assert time.monotonic() < end, f"{file} does not load"
            self._note(self._next())

    def run(self, script):
        """The value of a script; awaits a promise."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, json.dumps(answer["exceptionDetails"])[:1000]
        return answer["result"].get("value")

    def mouse(self, kind, x, y, button="none"):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def pdf(self):
        answer = self.call("Page.printToPDF", preferCSSPageSize=True)
        return base64.b64decode(answer["data"])

    def picture(self, file):
        """Writes the whole page as PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16000), "scale": 1}
        data = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        with open(file, "wb") as picture:
            picture.write(base64.b64decode(data))

    def record(self, file, seconds, categories, then, meanwhile=None, form="json"):
        """Traces the browser for `seconds`, in which `meanwhile` runs if there is one, and then while it runs the script
        `then`, into `file`, as JSON or as Perfetto's protocol buffers (`proto`), compressed by gzip."""
        self.of_browser("Tracing.start", transferMode="ReturnAsStream", streamFormat=form,
                        streamCompression="gzip", traceConfig={
                            "recordMode": "recordUntilFull", "includedCategories": categories,
                            "excludedCategories": ["*"]})
        (meanwhile or self.leave)(seconds)
        self.run(then)
        self.of_browser("Tracing.end")
        answer = self.wait("Tracing.tracingComplete")
        assert not answer.get("dataLossOccurred"), "the trace is too large for the browser's buffer"
        with open(file, "wb") as trace:
            part = {"eof": False}
            while not part["eof"]:
                part = self.of_browser("IO.read", handle=answer["stream"], size=1 << 20)
                data = part["data"]
                trace.write(base64.b64decode(data) if part.get("base64Encoded") else data.encode())
        self.of_browser("IO.close", handle=answer["stream"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)
