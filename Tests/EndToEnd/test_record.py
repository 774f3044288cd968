"""Records pages by `record chrome`, and ends it at any moment. FRAMEBUDGET names the program; without a browser most is skipped."""
import collections
import contextlib
import csv
import gzip
import http.server
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import browser
from terminal import PATIENCE, Session, usual_signals

PROGRAM = os.environ["FRAMEBUDGET"]
# Records itself; its file says what its argument means. With a number it ends so many seconds after its own start, however long
# that takes.
APP = os.path.join(os.path.dirname(PROGRAM), "RecordedApp")
# Behind a predicted figure.
RANGE = r" \([\d.]+–[\d.]+ %\)"
NEEDS_BROWSER = unittest.skipUnless(browser.path(), "no chromium: no page is recorded")

# Draws in every frame, and computes for 50 ms in a named part four times a second.
PAGE = """<!doctype html><title>page</title><div id=box>0</div><script>
let frames = 0;
function frame() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(frame); }
function spin(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
setInterval(() => {
  const start = performance.now();
  spin(50);
  performance.measure("index", {start, end: performance.now()});
}, 257);
requestAnimationFrame(frame);
</script>"""

# The same with the computing in a Worker.
IN_WORKER = """<!doctype html><title>page</title><div id=box>0</div><script>
let frames = 0;
function frame() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(frame); }
const code = `setInterval(() => {
  const start = performance.now();
  while (performance.now() - start < 50);
  performance.measure("index", {start, end: performance.now()});
}, 257)`;
const worker = new Worker(URL.createObjectURL(new Blob([code])));
requestAnimationFrame(frame);
</script>"""

# Its `seen` is true once every event of the flow in the test was seen, each from the browser itself.
FORM = """<!doctype html><title>form</title><style>body { height: 3000px }</style>
<button id=open aria-label=Open>&#9881;</button>
<select id=choice><option>a<option>b</select><div id=host style="position: absolute; top: 1000px"></div><script>
const events = [];
const note = (event) => event.isTrusted && events.push(event.type);
const field = document.createElement("input");
Object.assign(field, {id: "field", value: "old"});
document.getElementById("open").onclick = (event) => { note(event); setTimeout(() => document.body.prepend(field), 200); };
field.oninput = note;
document.onkeyup = (event) => event.key === "Enter" && note(event);
document.onscroll = note;
const root = document.getElementById("host").attachShadow({mode: "open"});
root.innerHTML = "<p id=inner>word</p>";
root.getElementById("inner").ondblclick = note;
const seen = () => ["click", "input", "keyup", "scroll", "dblclick"].every((kind) => events.includes(kind)) &&
  field.value === "two words" && document.getElementById("choice").value === "b" && innerWidth === 700;
</script>"""


# Tries whatever could harm its user; a click opens a window, which would send a request.
INTRUSIVE = """<!doctype html><title>page</title><a id=load href=/load download>load</a><div id=box>0</div><script>
let frames = 0;
function frame() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(frame); }
requestAnimationFrame(frame);
document.getElementById("box").onclick = () => open("/window", "_blank");
setTimeout(() => {
  document.getElementById("load").click();
  Notification.requestPermission();
  navigator.geolocation.getCurrentPosition(() => fetch("/position"), () => {});
}, 1000);
</script>"""

DIALOGS = """<!doctype html><title>page</title><div id=box>0</div><script>
let frames = 0;
function frame() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(frame); }
requestAnimationFrame(frame);
if (sessionStorage.reloads) document.title = "again";
else setTimeout(() => {
  alert("hello");
  document.title = String(confirm("sure?")) + prompt("name", "default");
  onbeforeunload = (event) => event.preventDefault();
  document.onclick = () => { sessionStorage.reloads = 1; location.reload(); };
}, 500);
</script>"""

# Searches at each key, and has a script that counts. `passes()` is its own test.
TRIED = """<!doctype html><title>page</title><input id=field><p id=found></p><script src=count.js></script><script>
const field = document.getElementById("field"), found = document.getElementById("found");
function spin(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
function frame() { document.title = String(performance.now()); requestAnimationFrame(frame); }
let isTrusted = true;
field.addEventListener("input", function search(event) {
  spin(30);
  isTrusted &&= event.isTrusted && event.currentTarget === field && this === field;
  found.textContent = field.value;
});
const passes = () => isTrusted && field.value === "what is searched" && found.textContent === field.value;
requestAnimationFrame(frame);
</script>"""
COUNT = """setInterval(function count() { for (const end = performance.now() + 30; performance.now() < end;); }, 290);"""


class Site(http.server.ThreadingHTTPServer):
    """A server on this machine with the given pages by path; `seen` has the paths of all requests."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.seen.append(self.path)
            page = self.server.pages.get(self.path)
            if page is None:
                return self.send_error(404)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_):
            pass

    def __init__(self, pages):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.pages, self.seen = pages, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, host="127.0.0.1"):
        return f"http://{host}:{self.server_port}/"

    def end(self):
        self.shutdown()
        self.server_close()


class RecordTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(self.path("temporary"))
        self.write("page.html", PAGE)
        self.environment = {**os.environ, "TMPDIR": self.path("temporary")}
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def start(self, *arguments, subject="chrome"):
        return subprocess.Popen(
            [PROGRAM, "record", subject, *arguments], cwd=self.folder, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=usual_signals)

    def record(self, *arguments, subject="chrome"):
        process = self.start(*arguments, subject=subject)
        output, diagnostics = process.communicate()
        self.assert_nothing_is_left()
        return process.returncode, output, diagnostics

    def signal_renderers(self, number):
        for process in self.processes():
            with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as words:
                if b"--type=renderer" in words.read():
                    os.kill(process, number)

    def site(self, pages):
        site = Site(pages)
        self.addCleanup(site.end)
        return site

    def flow(self, *steps):
        self.write("flow.json", json.dumps({"title": "flow", "timeout": 60_000, "steps": steps}))
        return "flow.json"

    def guard(self):
        """The process of the guard, once its browser runs."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            lines = {}
            for process in self.processes():
                with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as words:
                    lines[process] = words.read()
            guards = [process for process, line in lines.items() if b"guard-browser" in line]
            if guards and any(b"--user-data-dir" in line for line in lines.values()):
                return guards[0]
            time.sleep(0.05)
        self.fail("no guard was started")

    def session(self, *arguments):
        """A recording of the page into the folder app, on a terminal."""
        session = Session(
            [PROGRAM, "record", "chrome", self.path("page.html"), *arguments, "-o", self.path("app")],
            # No note with a path is wrapped.
            columns=160, rows=100, TMPDIR=self.path("temporary"))
        self.addCleanup(session.close)
        return session

    def processes(self):
        """Processes that have the temporary folder from this test, and their descendants: a renderer writes its title over its
        environment."""
        mark = self.path("temporary").encode()
        parents, found = {}, set()
        for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
            with contextlib.suppress(OSError):
                with open(f"/proc/{process}/environ", "rb") as environment, open(f"/proc/{process}/stat") as status:
                    state, parent = status.read().rsplit(")", 1)[1].split()[:2]
                    if state != "Z":
                        parents[process] = int(parent)
                        if mark in environment.read():
                            found.add(process)
        while more := {process for process, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    def assert_answered(self, diagnostics):
        """A page with the answer; none if the replay contradicts the recording, as on a busy machine."""
        if "the replay contradicts the recording, so there is no advice" not in diagnostics:
            self.assertTrue(os.path.exists(self.path("app", "index.html")), diagnostics)
        self.assertTrue(os.path.exists(self.path("app", "README.md")), diagnostics)

    def assert_nothing_is_left(self, patience=0):
        """No process and no profile; the guard of a command that was killed needs a moment."""
        end = time.monotonic() + patience
        while (left := [*self.processes(), *os.listdir(self.path("temporary"))]) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(left, [])

    # Slow: records for three seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_a_page_becomes_a_folder_with_an_answer(self):
        status, output, diagnostics = self.record("page.html", "--for", "3s", "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        files = set(os.listdir(self.path("app")))
        self.assertLessEqual({"page.json.gz", "page.yaml", "README.md"}, files, diagnostics)
        self.assert_answered(diagnostics)
        self.assertRegex(output, r"\Arecorded: \d+ of \d+ \([\d.]+ %\) dropped; the replay: \d+ of \d+ ")
        if "index.html" in files:
            self.assertIn("index", output)
            self.assertIn("app/index.html", diagnostics)
        with open(self.path("app", "page.yaml"), encoding="utf-8") as scenario:
            self.assertRegex(scenario.read(), r"(?m)^  index:")
        checked = subprocess.run([PROGRAM, "check", "app/page.yaml"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)

    # Slow: records twice for three seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_a_second_recording_is_stored_beside_the_first(self):
        def times(folder):
            return {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder)}

        self.record("page.html", "--for", "3s", "-o", "app")
        before = times(self.path("app"))
        # The change: the work is in a Worker.
        self.write("page.html", IN_WORKER)
        status, output, diagnostics = self.record("page.html", "--for", "3s", "--again", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        # A busy machine makes functions of the first recording long enough to learn that are short in the second.
        self.assertRegex(output, "The change is taken for `move-index[+`]")
        self.assertIn("`index` runs on DedicatedWorker thread", output)
        again = self.path("app", "again-1")
        self.assertLessEqual(
            {"page.json.gz", "page.yaml", "after-the-change.md", "after-the-change.csv"},
            set(os.listdir(again)), diagnostics)
        with open(os.path.join(again, "after-the-change.md"), encoding="utf-8") as text:
            self.assertTrue(output.endswith(text.read()))
        after = times(self.path("app"))
        del after["again-1"]
        self.assertEqual(after, before)

    # Slow: records for some seconds, and looks for advice.
    def test_a_program_that_records_itself_becomes_a_folder_with_an_answer(self):
        status, output, diagnostics = self.record(
            APP, "--for", "10s", "-o", "app", "--", "lasting", "--of", "two words", subject="program")
        self.assertIn(status, (0, 1, 2), diagnostics)
        files = set(os.listdir(self.path("app")))
        self.assertLessEqual({"program.json", "program.yaml", "output.txt", "README.md"}, files, diagnostics)
        self.assert_answered(diagnostics)
        with open(self.path("app", "program.yaml"), encoding="utf-8") as scenario:
            self.assertIn("index", scenario.read())
        with open(self.path("app", "output.txt"), encoding="utf-8") as printed:
            self.assertEqual(printed.read(), "arguments: lasting --of two words\n")
        # And again, until it ends by itself.
        status, output, diagnostics = self.record(
            APP, "--for", "10min", "--again", "app", "--", "2", subject="program")
        self.assertIn(status, (0, 1, 2), diagnostics)
        # On a loaded machine the same work may look like another change.
        self.assertRegex(output, r"The change is taken for `[-+\w]+`")
        self.assertTrue(os.path.exists(self.path("app", "again-1", "program.json")))

    # Slow: records three times for some seconds, and looks for advice.
    def test_a_program_is_tried_under_other_arrangements(self):
        # Of twelve calls of 30 ms each drops a frame or two. What a busy machine drops without them is not known, and a try can
        # tell nothing.
        for step in range(3):
            before, after = self.dropped_under_arrangements(f"app-{step}")
            if after < before:
                break
        self.assertLess(after, before)

    def dropped_under_arrangements(self, app):
        """Tries a program as it is, and with its service on a thread; returns the predicted numbers of dropped frames."""
        status, output, diagnostics = self.record(
            APP, "--for", "10min", "-o", app, "--try", "as-recorded,move-index", "--", "3", subject="program")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertIn("trying as-recorded: FRAMEBUDGET_ARRANGEMENT=''\n", diagnostics)
        self.assertIn("trying move-index: FRAMEBUDGET_ARRANGEMENT='index-thread: index'\n", diagnostics)
        row = r"(?m)^{} +(\d+) of \d+" + RANGE + r" +\d+ of \d+ +(good|fair|poor|too-short)$"
        before = re.search(row.format("as-recorded"), output)
        after = re.search(row.format("move-index"), output)
        self.assertTrue(before and after, output)
        self.assertEqual(self.threads_of_index(app, "try-as-recorded"), {"main"})
        self.assertEqual(self.threads_of_index(app, "try-move-index"), {"index-thread"})
        with open(self.path(app, "tried.csv"), encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual([(row["change"], row["kind"]) for row in rows],
                         [(change, kind) for change in ("as-recorded", "move-index")
                          for kind in ("before", "predicted", "after", "after-replayed", "before-replayed")])
        with open(self.path(app, "try-move-index", "after-the-change.md"), encoding="utf-8") as text:
            self.assertIn("The app ran under the arrangement `index-thread: index`.", text.read())
        return int(before[1]), int(after[1])

    # Slow: records a flow three times, and looks for advice.
    @NEEDS_BROWSER
    def test_changes_are_made_in_a_page_after_they_are_predicted(self):
        site = self.site({"/": TRIED, "/count.js": COUNT})
        flow = self.flow(
            {"type": "change", "selectors": [["#field"]], "value": "something"},
            {"type": "change", "selectors": [["#field"]], "value": "what is searched"},
            {"type": "waitForExpression", "expression": "performance.now() > 8000 && passes()"})
        changes = ["debounce:input=1s", "without:count.js", "latest:message"]
        status, output, diagnostics = self.record(
            site.address(), "--flow", flow, "-o", "app", "--try", ",".join(changes))
        self.assertIn(status, (0, 1, 2), diagnostics)
        for change in changes[:2]:
            predicted = diagnostics.index(f"{change}: predicted ")
            made = diagnostics.index(", made: ", predicted)
            self.assertRegex(diagnostics[predicted:made], rf"predicted \d+ of \d+ -> \d+ of \d+{RANGE} dropped\n")
            self.assertRegex(output, rf"(?m)^{change} +\d+ of \d+{RANGE} +\d+ of \d+ +(good|fair|poor|too-short)$")
        self.assertIn("latest:message was not tried: no listener of message ran while the page was recorded", output)
        calls = [self.calls(*folder) for folder in ([], ["try-debounce-input-1s"], ["try-without-count.js"])]
        # The page's own test passes at the end of each flow. Nothing of a change is in the next recording.
        self.assertGreater(calls[0]["search"], 20)
        self.assertGreater(calls[0]["count"], 5)
        self.assertLess(calls[1]["search"], calls[0]["search"] / 2)
        self.assertGreater(calls[1]["count"], 5)
        self.assertGreater(calls[2]["search"], 20)
        self.assertEqual(calls[2]["count"], 0)
        with open(self.path("app", "tried.csv"), encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual([(row["change"], row["kind"]) for row in rows],
                         [(change, kind) for change in changes[:2]
                          for kind in ("before", "predicted", "after", "after-replayed", "before-replayed")])
        self.assert_answered(diagnostics)
        if os.path.exists(self.path("app", "index.html")):
            with open(self.path("app", "index.html"), encoding="utf-8") as page:
                self.assertRegex(page.read(), r"<b>debounce:input=1s</b>: predicted .* made: ")

    # Slow: records a flow twice, and looks for advice.
    @NEEDS_BROWSER
    def test_what_a_page_did_before_another_one_took_its_place_counts(self):
        asking = TRIED.replace("</script>", "Notification.requestPermission();\n</script>")
        site = self.site({"/": asking, "/count.js": COUNT, "/other": PAGE})
        flow = self.flow(
            {"type": "change", "selectors": [["#field"]], "value": "what is searched"},
            {"type": "waitForExpression", "expression": "passes()"},
            {"type": "navigate", "url": site.address() + "other"},
            {"type": "waitForExpression", "expression": "performance.now() > 1000"})
        status, output, diagnostics = self.record(
            site.address(), "--flow", flow, "-o", "app", "--try", "debounce:input=150ms")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertRegex(output, rf"(?m)^debounce:input=150ms +\d+ of \d+{RANGE} +\d+ of \d+ +(good|fair|poor|too-short)$")
        self.assertIn("denied 1 permission: requestPermission", diagnostics)

    # Slow: records flows of some seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_frames_of_a_page_on_another_site_are_told_and_those_of_a_link_are_counted(self):
        link = PAGE.replace("<div", "<a id=go href=/other>other</a><div")
        site = self.site({"/": link, "/other": PAGE})
        def flow(step):
            return self.flow(
                {"type": "waitForExpression", "expression": "performance.now() > 3000"}, step,
                {"type": "waitForExpression", "expression": "location.pathname === '/other' && performance.now() > 3000"})

        # The browser changes the process with the site, and the layer tree with the document.
        other = {"type": "navigate", "url": site.address("localhost") + "other"}
        status, _, diagnostics = self.record(site.address(), "--flow", flow(other), "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertRegex(diagnostics, r"not part of the recording: what the page drew in another process: "
                                      r"http://(localhost|127.0.0.1):\d+ with \d+ frames, \d+ of them dropped")
        self.assert_answered(diagnostics)
        click = {"type": "click", "selectors": [["#go"]]}
        status, output, diagnostics = self.record(site.address(), "--flow", flow(click), "-o", "linked")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertNotIn("not part of the recording", diagnostics)
        # Three seconds of each.
        self.assertGreater(int(re.match(r"recorded: \d+ of (\d+) ", output)[1]), 240, output)

    # Slow: records for some seconds.
    @NEEDS_BROWSER
    def test_a_page_cannot_load_files_beyond_its_folder_nor_destroy_its_recording(self):
        os.mkdir(self.path("outside"))
        os.mkdir(self.path("pages"))
        self.write("outside/secret.js", "self.secret = 1;")
        self.write("pages/own.js", "self.own = 1;")
        file = "file://" + self.path("outside", "secret.js")
        # The list of permissions is the page's.
        hostile = "self[Symbol.for('framebudget.permissions')] = ['x'.repeat(65 << 20)];"
        self.write("pages/page.html", PAGE.replace(
            "<div", f"<script src='{file}'></script><script src=own.js></script><script>{hostile}</script><div"))
        flow = self.flow({"type": "waitForExpression", "expression": "self.own === 1 && self.secret === undefined && frames > 60"})
        status, _, diagnostics = self.record("pages/page.html", "--flow", flow, "--for", "2s", "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertIn(f"denied 1 file outside the page's folder: {file[:80]}", diagnostics)
        self.assertIn("denied 1 permission: xxx", diagnostics)
        self.assertTrue(os.path.exists(self.path("app", "page.json.gz")))

    def calls(self, *folder):
        """How often functions of the page with each name worked, in the recording in that folder of the app's.

        A call that only keeps an event for later has the name of the listener, too, and takes no time.
        """
        with gzip.open(self.path("app", *folder, "page.json.gz"), "rt", encoding="utf-8") as trace:
            events = json.load(trace)["traceEvents"]
        return collections.Counter(
            event["args"]["data"].get("functionName") for event in events
            if event["name"] == "FunctionCall" and event.get("dur", 0) >= 20_000)

    def threads_of_index(self, *folder):
        """The names of the threads on which the service ran, in the recording in that folder."""
        with open(self.path(*folder, "program.json"), encoding="utf-8") as trace:
            events = json.load(trace)["traceEvents"]
        names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
        return {names[event["tid"]] for event in events if event["name"] == "index"}

    def test_an_unknown_arrangement_is_named_after_the_recording(self):
        status, _, diagnostics = self.record(
            APP, "--for", "10min", "-o", "app", "--try", "move-indx", "--", "5", subject="program")
        self.assertEqual(status, 64, diagnostics)
        self.assertRegex(diagnostics, "--try: 'move-indx' is not a learned change; did you mean 'move-index'")
        self.assertTrue(os.path.exists(self.path("app", "program.json")))
        self.assert_answered(diagnostics)

    # Slow: records three times for some seconds, and looks for advice.
    def test_an_arrangement_under_which_a_program_ends_leaves_the_table_and_the_page(self):
        self.write("starts", f"""#!/bin/sh
case "$FRAMEBUDGET_ARRANGEMENT" in *thread*) echo no more threads; exit 3;; esac
exec '{APP}' 5
""", 0o755)
        status, output, diagnostics = self.record(
            "./starts", "--for", "10min", "-o", "app", "--try", "move-index,as-recorded", subject="program")
        # As the other prediction came, but not all good.
        self.assertIn(status, (1, 2), diagnostics)
        self.assertRegex(output, "move-index was not tried: ./starts recorded nothing, and has ended with status 3; its last "
                                 "output: no more threads")
        self.assertRegex(output, rf"(?m)^as-recorded +\d+ of \d+{RANGE} +\d+ of \d+ +(good|fair|poor|too-short)$")
        with open(self.path("app", "tried.csv"), encoding="utf-8", newline="") as table:
            self.assertEqual({row["change"] for row in csv.DictReader(table)}, {"as-recorded"})
        self.assert_answered(diagnostics)

    # Slow: records for some seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_a_browser_that_starts_once_leaves_changes_untried_and_the_answer_undecided(self):
        self.write("once", f"#!/bin/sh\n[ -e '{self.path('started')}' ] && exit 1\n"
                           f"touch '{self.path('started')}'\nexec {browser.path()} \"$@\"\n", 0o755)
        self.write("tried.html", PAGE.replace("<div", "<script src=count.js></script><div"))
        self.write("count.js", COUNT)
        status, output, diagnostics = self.record(
            "tried.html", "--for", "3s", "-o", "app", "--browser", "./once", "--try", "without:count.js")
        self.assertEqual(status, 2, diagnostics)
        self.assertIn("without:count.js was not tried: ./once has ended", output)
        self.assert_answered(diagnostics)

    def test_a_program_that_records_nothing_is_an_error_with_its_last_output(self):
        status, _, diagnostics = self.record(APP, "-o", "app", "--", "silent", subject="program")
        self.assertEqual(status, 69, diagnostics)
        self.assertRegex(diagnostics, r"recorded nothing, and has ended with status 3; its last output: no .*display; "
                                      r"it has to call FrameRecorder.start\(to:\)\n\Z")
        self.assertNotIn("\x1b", diagnostics)
        self.assertEqual(sorted(os.listdir(self.folder)), ["page.html", "temporary"])

    # Slow: records for some seconds, and looks for advice.
    def test_a_hang_that_lasts_until_the_end_of_a_program_counts(self):
        status, output, diagnostics = self.record(APP, "--for", "12s", "-o", "app", "--", "hangs", "2", subject="program")
        self.assertIn(status, (0, 1, 2), diagnostics)
        found = re.match(r"recorded: (\d+) of (\d+) ", output)
        self.assertTrue(found, output)
        # Of ten seconds; the program may have begun late.
        self.assertGreater(int(found[1]), 120, output)
        self.assert_answered(diagnostics)

    # Slow: records twice for some seconds, and looks for advice.
    def test_a_program_that_crashes_is_told_and_its_trial_has_failed(self):
        status, output, diagnostics = self.record(
            APP, "--for", "10min", "-o", "crashed", "--", "crashes", "5", subject="program")
        self.assertIn(status, (0, 1, 2), diagnostics)
        told = r"RecordedApp has ended with status 139 after [\d.]+ s of {}; its last output: a crash"
        self.assertRegex(diagnostics, told.format("600 s") + "; the recording ends there")
        self.assertRegex(output, r"\Arecorded: ")
        status, output, diagnostics = self.record(
            APP, "--for", "12s", "-o", "app", "--try", "move-index", "--", "crashes", "5", "moved", subject="program")
        self.assertEqual(status, 2, diagnostics)
        self.assertNotIn("the recording ends there", diagnostics)
        self.assertRegex(output, "move-index was not tried: .*" + told.format("12 s"))
        self.assertTrue(os.path.exists(self.path("app", "try-move-index", "program.json")))

    def test_killed_at_any_moment_no_program_is_left(self):
        chance = random.Random(34)
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGKILL):
            moment = chance.uniform(0, 1)
            with self.subTest(signal=number.name, moment=moment):
                process = self.start(
                    APP, "--for", "10min", "-o", f"app-{moment}", "--", "children", subject="program")
                time.sleep(moment)
                process.send_signal(number)
                process.communicate()
                self.assert_nothing_is_left(patience=PATIENCE)

    # Slow: records a flow of some seconds.
    @NEEDS_BROWSER
    def test_a_flow_is_replayed_by_the_browser_s_own_events(self):
        self.write("form.html", FORM)
        flow = self.flow(
            {"type": "setViewport", "width": 700, "height": 500},
            {"type": "navigate", "url": "http://where.it.was.recorded/"},
            {"type": "click", "selectors": [["#missing"], ["aria/Open"]], "offsetX": 5, "offsetY": 5},
            {"type": "waitForElement", "selectors": [["#field"]]},
            {"type": "change", "selectors": [["#field"]], "value": "two words"},
            {"type": "keyDown", "key": "Enter"}, {"type": "keyUp", "key": "Enter"},
            {"type": "change", "selectors": [["#choice"]], "value": "b"},
            {"type": "scroll", "x": 0, "y": 900},
            {"type": "doubleClick", "selectors": [["pierce/#inner"]]},
            {"type": "waitForExpression", "expression": "seen()"})
        status, _, diagnostics = self.record("form.html", "--flow", flow, "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assert_answered(diagnostics)

    # Slow: records a flow of some seconds.
    @NEEDS_BROWSER
    def test_steps_act_on_what_is_visible_and_await_promises_and_need_no_new_document(self):
        site = self.site({"/": PAGE.replace("<div", """<button class=go style="display: none">go</button>
<button class=go id=shown onclick="self.clicked = this.id">go</button>
<input class=field style="visibility: hidden"><input class=field id=typed><div""")})
        promise = "new Promise((resolve) => setTimeout(() => resolve(self.settled = true), 1500))"
        # Of the one document: a step that waited in vain would have taken 30 s.
        done = "settled && clicked === 'shown' && typed.value === 'ok' && location.hash === '#next' && performance.now() < 25000"
        self.write("flow.json", json.dumps({"timeout": 300, "steps": [
            {"type": "click", "selectors": [[".go"]]},
            {"type": "change", "selectors": [[".field"]], "value": "ok"},
            {"type": "navigate", "url": site.address() + "#next"},
            {"type": "waitForExpression", "expression": promise, "timeout": 20_000},
            {"type": "waitForExpression", "expression": done}]}))
        status, _, diagnostics = self.record(site.address(), "--flow", "flow.json", "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertEqual(site.seen.count("/"), 1)

    # Slow: waits for a step in vain.
    @NEEDS_BROWSER
    def test_a_step_without_its_element_is_named(self):
        self.write("flow.json", json.dumps({"timeout": 300, "steps": [
            {"type": "keyDown", "key": "a"}, {"type": "click", "selectors": [["#not", "#there"], ["text/nowhere"]]}]}))
        status, _, diagnostics = self.record("page.html", "--flow", "flow.json", "-o", "app")
        self.assertEqual((status, diagnostics), (
            65, "framebudget: step 2 of the flow: no element matches #not #there, text/nowhere, after 0.3 seconds\n"))
        self.assertFalse(os.path.exists(self.path("app")))

    # Slow: starts a browser four times.
    @NEEDS_BROWSER
    def test_killed_at_any_moment_it_leaves_neither_browser_nor_profile(self):
        chance = random.Random(33)
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
            moment = chance.uniform(0.1, 3)
            with self.subTest(signal=number.name, moment=moment):
                process = self.start("page.html", "--for", "10min", "-o", f"app-{number.name}")
                time.sleep(moment)
                process.send_signal(number)
                process.communicate()
                self.assertIn(process.returncode, (-number, 128 + number))
                self.assert_nothing_is_left(patience=PATIENCE)

    # Slow: starts a browser, and records until it has said so.
    @NEEDS_BROWSER
    def test_an_interruption_ends_the_recording_early(self):
        session = self.session("--headless", "--for", "10min")
        session.wait(lambda session: re.search(r"recording: ([5-9]|\d\d+) s of", session.text()))
        session.press("\x03")
        self.assertIn(session.end(), (0, 1, 2), session.text())
        self.assert_answered(session.text())
        self.assert_nothing_is_left()

    # Slow: starts a browser, and learns.
    @NEEDS_BROWSER
    def test_an_interruption_behind_the_recording_does_not_lose_it(self):
        session = self.session("--headless", "--for", "10s")
        # The next words may have replaced them on the screen.
        session.wait(lambda session: re.search(rb"recording: [1-9]", session.raw))
        # Without them the browser does not complete the recording for a while.
        self.signal_renderers(signal.SIGSTOP)
        session.wait(lambda session: b"completing the recording" in session.raw)
        session.press("\x03")
        self.signal_renderers(signal.SIGCONT)
        self.assertIn(session.end(), (0, 1, 2), session.text())
        self.assert_answered(session.text())

    @NEEDS_BROWSER
    def test_a_page_that_cannot_be_opened_is_an_error_of_one_line(self):
        site = self.site({})
        for page, reason in [
            ("http://127.0.0.1:9/", "ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED"),
            (site.address(), "the server answers 404"),
        ]:
            with self.subTest(page=page):
                status, _, diagnostics = self.record(page, "-o", "app")
                self.assertEqual(status, 66, diagnostics)
                self.assertRegex(diagnostics, rf"\Aframebudget: cannot open {re.escape(page)}: ({reason})\n\Z")
                self.assertFalse(os.path.exists(self.path("app")))

    # Slow: records a flow of some seconds.
    @NEEDS_BROWSER
    def test_a_page_writes_nothing_and_opens_nothing_and_is_told(self):
        site = self.site({"/": INTRUSIVE, "/window": "<script>fetch('/sent')</script>", "/load": "x" * 1000})
        os.mkdir(self.path("home"))
        self.environment["HOME"] = self.path("home")
        flow = self.flow(
            {"type": "waitForExpression", "expression": "performance.now() > 2000"},
            {"type": "click", "selectors": [["#box"]]},
            {"type": "waitForExpression", "expression": "performance.now() > 4000"})
        status, _, diagnostics = self.record(site.address(), "--flow", flow, "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        for note in ("denied 1 download: http://", "denied 1 new window: http://",
                     "denied 2 permissions: requestPermission, getCurrentPosition"):
            self.assertIn(note, diagnostics)
        self.assertFalse({"/window", "/sent", "/position"} & set(site.seen), site.seen)
        self.assertEqual(os.listdir(self.path("home")), [])

    @NEEDS_BROWSER
    def test_a_flow_opens_only_servers_and_the_files_beside_the_page(self):
        for url in ("file:///etc/hostname", "chrome://version/", "view-source:http://localhost/"):
            with self.subTest(url=url):
                flow = self.flow({"type": "keyDown", "key": "a"}, {"type": "navigate", "url": "http://localhost/"},
                                 {"type": "navigate", "url": url})
                status, _, diagnostics = self.record("page.html", "--flow", flow, "-o", "app")
                self.assertEqual(status, 65, diagnostics)
                self.assertIn(f"step 3 of the flow may not open {url}; allowed: http, https", diagnostics)
                self.assertFalse(os.path.exists(self.path("app")))
        # Scripts of a flow cannot do so either.
        flow = self.flow(
            {"type": "waitForExpression", "expression": "performance.now() > 500"},
            {"type": "waitForExpression", "expression": "(location = 'file:///etc/hostname', true)"},
            {"type": "waitForExpression", "expression": "location.protocol === 'chrome-error:'"})
        status, _, diagnostics = self.record("page.html", "--flow", flow, "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertIn("denied 1 file outside the page's folder: file:///etc/hostname; --any-address allows it", diagnostics)

    # Slow: starts a browser twice.
    @NEEDS_BROWSER
    def test_a_killed_guard_leaves_no_profile(self):
        process = self.start("page.html", "--for", "10min", "-o", "app")
        os.kill(self.guard(), signal.SIGKILL)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assert_nothing_is_left(patience=PATIENCE)
        # If both are killed, the next recording removes the profile.
        process = self.start("page.html", "--for", "10min", "-o", "app")
        # The guard is stopped first: it removes the profile as soon as it sees the command end.
        guard = self.guard()
        for stopped, number in ((guard, signal.SIGSTOP), (process.pid, signal.SIGKILL), (guard, signal.SIGKILL)):
            os.kill(stopped, number)
        process.communicate()
        end = time.monotonic() + PATIENCE
        while list(self.processes()) and time.monotonic() < end:
            time.sleep(0.05)
        left = os.listdir(self.path("temporary"))
        self.assertEqual(len(left), 1)
        self.write("broken", "#!/bin/sh\nexit 1\n", 0o755)
        _, _, diagnostics = self.record("page.html", "--browser", "./broken", "-o", "app")
        self.assertIn(f"removed {self.path('temporary', left[0])}, which a killed command has left", diagnostics)

    # Slow: records a flow of some seconds.
    @NEEDS_BROWSER
    def test_dialogs_are_answered_and_told(self):
        site = self.site({"/": DIALOGS})
        flow = self.flow(
            {"type": "waitForExpression", "expression": "document.title === 'truedefault'"},
            {"type": "click", "selectors": [["#box"]]},
            {"type": "waitForExpression", "expression": "document.title === 'again'"})
        status, _, diagnostics = self.record(site.address(), "--flow", flow, "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assertIn("answered", diagnostics)
        for dialog in ('alert "hello"', 'confirm "sure?"', 'prompt "name"'):
            self.assertIn(dialog, diagnostics)

    # Slow: records for some seconds.
    @NEEDS_BROWSER
    def test_an_endless_loop_is_recorded(self):
        # The flow begins a task that never ends, after some frames that are recorded.
        flow = self.flow({
            "type": "waitForExpression",
            "expression": "(self.first ??= frames) + 60 < frames && !!performance.mark('soon') && "
                          "setTimeout(() => { for (;;); }, 500) > 0"})
        status, _, diagnostics = self.record("page.html", "--flow", flow, "--for", "8s", "-o", "app")
        self.assertIn(status, (0, 1, 2), diagnostics)
        self.assert_answered(diagnostics)
        # Nothing waits for the page while it is recorded: for 8 s, or until a second after the flow.
        with gzip.open(self.path("app", "page.json.gz"), "rt", encoding="utf-8") as text:
            events = [event for event in json.load(text)["traceEvents"] if event.get("ts", 0) > 0]
        soon = next(event["ts"] for event in events if event["name"] == "soon")
        due = max(min(event["ts"] for event in events) + 8e6, soon + 1e6)
        self.assertLess(max(event["ts"] for event in events) - due, 5e6)

    # Slow: records for some seconds.
    @NEEDS_BROWSER
    def test_what_was_recorded_before_a_crash_is_kept(self):
        session = self.session("--headless", "--for", "10min")
        session.wait(lambda session: re.search(r"recording: ([5-9]|\d\d+) s of", session.text()))
        self.signal_renderers(signal.SIGKILL)
        self.assertIn(session.end(), (0, 1, 2), session.text())
        self.assertIn("crashed; the recording ends", session.text())
        self.assert_answered(session.text())
        self.assert_nothing_is_left()

    # Slow: Chromium waits for the stopped processes until the page is replaced.
    @NEEDS_BROWSER
    def test_processes_that_do_not_answer_delay_the_recording_and_do_not_lose_it(self):
        session = self.session("--headless", "--for", "3s")
        session.wait(lambda session: re.search(rb"recording: [1-9] s of", session.raw))
        self.signal_renderers(signal.SIGSTOP)
        self.assertIn(session.end(), (0, 1, 2), session.text())
        self.assert_nothing_is_left()

    def test_an_endless_output_costs_little(self):
        self.write("talks", "#!/bin/sh\nhead -c 100000000 /dev/zero | tr '\\0' x\necho\necho the last\nexit 3\n", 0o755)
        process = self.start("./talks", "-o", "app", subject="program")
        diagnostics = process.stderr.read()
        _, _, usage = os.wait4(process.pid, 0)
        process.stdout.close()
        process.stderr.close()
        process.returncode = 0
        self.assertIn("has ended with status 3; its last output: the last;", diagnostics)
        self.assertLess(usage.ru_maxrss, 200_000)

    def test_a_browser_that_ends_is_an_error_with_its_last_output(self):
        self.write("broken", "#!/bin/sh\necho first >&2\necho no usable sandbox >&2\nexit 1\n", 0o755)
        status, _, diagnostics = self.record("page.html", "--browser", "./broken", "-o", "app")
        self.assertEqual(
            (status, diagnostics), (69, "framebudget: ./broken has ended: no usable sandbox\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["broken", "page.html", "temporary"])

    def test_a_silent_browser_ends_with_the_command(self):
        # Its child leaves the group.
        self.write("silent", "#!/bin/sh\nsetsid sleep 1000 &\nexec sleep 1000\n", 0o755)
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(signal=number.name):
                process = self.start("page.html", "--browser", "./silent", "-o", "app")
                while len(list(self.processes())) < 4:
                    self.assertIsNone(process.poll())
                    time.sleep(0.02)
                process.send_signal(number)
                process.communicate()
                self.assertIn(process.returncode, (-number, 128 + number))
                self.assert_nothing_is_left(patience=PATIENCE)

    @NEEDS_BROWSER
    def test_shows_its_progress_on_a_terminal(self):
        session = self.session("--headless", "--for", "4s")
        session.end()
        self.assertRegex(session.raw, rb"\rrecording: [123] s of 4 s")
        self.assertNotRegex(session.text(), r"recording: \d s of 4 s")
        self.assert_nothing_is_left()


if __name__ == "__main__":
    unittest.main()
