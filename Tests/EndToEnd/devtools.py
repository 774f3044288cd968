"""A second client of a browser's DevTools, and servers that are none, for the tests of --attach."""
import base64
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

import browser
from terminal import PATIENCE


class RunningBrowser:
    """A headless browser of a user: it listens on a port, and has opened `page`. Ends with the context."""

    def __init__(self, page, *options):
        self.profile = tempfile.mkdtemp(prefix="framebudget-browser-")
        self.process = subprocess.Popen(
            [browser.path(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
             "--disable-background-networking", "--remote-debugging-port=0", f"--user-data-dir={self.profile}", *options,
             *([page] if page else [])],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while not self.port and time.monotonic() < end:
            time.sleep(0.05)
        while not any(found["title"] or not page for found in self.pages()) and time.monotonic() < end:
            time.sleep(0.05)

    @property
    def port(self):
        with contextlib.suppress(OSError, IndexError, ValueError):
            with open(os.path.join(self.profile, "DevToolsActivePort"), encoding="utf-8") as file:
                return int(file.read().split()[0])
        return None

    def ask(self, path, method="GET"):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request(method, path)
            return connection.getresponse().read()

    def pages(self):
        return [page for page in json.loads(self.ask("/json/list")) if page["type"] == "page"]

    def page(self):
        return Page(self.port, self.pages()[0]["id"])

    def close(self):
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A connection to a page by a WebSocket."""

    def __init__(self, port, page):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.file = self.socket.makefile("rb")
        self.id, self.number = page, 0
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /devtools/page/{page} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while self.file.readline().strip():
            pass

    def send(self, method, **parameters):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        self.socket.sendall(bytes([0x81, 0xfe]) + struct.pack(">H", len(text)) + bytes(4) + text)

    def answer(self, method, **parameters):
        self.send(method, **parameters)
        while (message := self.receive()).get("id") != self.number:
            pass
        return message

    def call(self, method, **parameters):
        message = self.answer(method, **parameters)
        assert "error" not in message, message
        return message["result"]

    def receive(self):
        length = self.file.read(2)[1]
        if length >= 126:
            length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
        return json.loads(self.file.read(length))

    def run(self, script, **where):
        """The value of a script in the page's own world, or another one."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, **where)
        return result["result"].get("value")

    def in_worlds(self, script):
        """The values of a script in each world that framebudget has made in the page."""
        self.send("Runtime.enable")
        worlds = []
        while (message := self.receive()).get("id") != self.number:
            context = message.get("params", {}).get("context", {})
            if message["method"] == "Runtime.executionContextCreated" and context["name"].startswith("framebudget"):
                worlds.append(context["id"])
        self.call("Runtime.disable")
        return [self.run(script, contextId=world) for world in worlds]

    def close(self):
        self.file.close()
        self.socket.close()


class FalseServer:
    """Listens on a port and answers each connection by `answers[n](socket)`, the last one for all others."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            threading.Thread(target=self.answer, args=(connection, answer), daemon=True).start()

    @staticmethod
    def answer(connection, answer):
        with contextlib.suppress(OSError), connection:
            if answer:
                connection.recv(1 << 16)
                answer(connection)
            else:
                time.sleep(PATIENCE)

    def close(self):
        # Wakes the thread that accepts.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def document(text, status="200 OK"):
    """An answer of HTTP with this body."""
    body = text.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return lambda connection: connection.sendall(head + body)


def raw(*pieces):
    """These bytes, and then the end of the connection."""
    return lambda connection: [connection.sendall(piece) for piece in pieces]


VERSION = document('{"Browser": "Chrome/1.2", "webSocketDebuggerUrl": "ws://example.org/devtools/browser/1"}')
PAGES = document('[{"type": "page", "id": "A", "url": "http://a/", "title": "a \\u001b[31m page"}]')
UPGRADE = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


def scripted(results, events):
    """Answers each command of a client by `results[method]`, or an empty result, and sends the events of `events[method]`."""
    def answer(connection):
        connection.sendall(UPGRADE)
        file = connection.makefile("rb")
        while (head := file.read(2)) and head[0] & 0x0f == 1:
            length = head[1] & 0x7f
            length = int.from_bytes(file.read(2), "big") if length == 126 else length
            mask, body = file.read(4), file.read(length)
            message = json.loads(bytes(byte ^ mask[place % 4] for place, byte in enumerate(body)))
            method = message["method"]
            for sent in ({"id": message["id"], "result": results.get(method, {})}, *events.get(method, [])):
                connection.sendall(frame(json.dumps(sent)))
    return answer


def frame(text):
    """A frame of a WebSocket's server."""
    body = text.encode()
    size = len(body)
    if size < 126:
        return b"\x81" + bytes([size]) + body
    return b"\x81" + (b"\x7e" + struct.pack(">H", size) if size < 1 << 16 else b"\x7f" + struct.pack(">Q", size)) + body
