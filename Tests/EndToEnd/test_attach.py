"""Attaches `live` and `record` to a browser that runs already. FRAMEBUDGET names the program; most needs a browser."""
import contextlib
import csv
import json
import os
import re
import signal
import socket
import subprocess
import time
import unittest

import browser
from devtools import PAGES, UPGRADE, VERSION, FalseServer, Page, RunningBrowser, document, frame, raw, scripted
from terminal import PATIENCE, SEARCH, FolderTest, Session, usual_signals
from test_record import Site

PROGRAM = os.environ["FRAMEBUDGET"]
NEEDS_BROWSER = unittest.skipUnless(browser.path(), "no chromium: no page is attached to")

# Draws in every frame. `plant(ms)` keeps the main thread busy soon, in a task; `planted` has when each began and ended.
PAGE = """<!doctype html><title>page one</title><div id=box>0</div><script>
let frames = 0;
const planted = [];
function draw() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(draw); }
function busy(ms) {
  const start = performance.timeOrigin + performance.now();
  for (const end = performance.now() + ms; performance.now() < end;);
  planted.push([start, performance.timeOrigin + performance.now()]);
}
function plant(ms) { setTimeout(busy, 100 * Math.random(), ms); }
requestAnimationFrame(draw);
</script>"""

JANK = PAGE.replace("</script>", "setInterval(busy, 509, 90);\n</script>")


class AttachTest(FolderTest):
    def browser(self, text=PAGE):
        site = Site({"/": text, "/other": PAGE.replace("page one", "page two"), "/jank": JANK})
        self.addCleanup(site.end)
        running = RunningBrowser(site.address())
        self.addCleanup(running.close)
        running.site = site
        return running

    def page(self, running):
        page = running.page()
        self.addCleanup(page.close)
        return page

    def live(self, running, *arguments, columns=140, rows=45):
        session = Session(
            [PROGRAM, "live", *arguments, "--attach", f"chrome:{running.profile}"], columns=columns, rows=rows)
        self.addCleanup(session.close)
        session.wait("attached")
        session.wait(lambda live: re.search(r" of [1-9]\d+ frames", live.text()))
        return session

    @staticmethod
    def frames(live):
        """The number of frames in the verdict."""
        found = re.search(r" of (\d+) frames", live.text())
        return int(found[1]) if found else 0

    def run_program(self, *arguments, timeout=PATIENCE):
        return subprocess.run(
            [PROGRAM, *arguments], capture_output=True, text=True, check=False, preexec_fn=usual_signals,
            stdin=subprocess.DEVNULL, timeout=timeout)

    def assert_nothing_left(self, page):
        """The script has gone, or goes now, and the page draws on."""
        end = time.monotonic() + PATIENCE
        while {*page.in_worlds("typeof framebudget")} - {"undefined"}:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        before = page.run("frames")
        while page.run("frames") == before:
            self.assertLess(time.monotonic(), end)

    def assert_not_recorded(self, page):
        """No recording is under way in the browser, or it is ending: another one can start."""
        end = time.monotonic() + PATIENCE
        while "error" in page.answer("Tracing.start", transferMode="ReturnAsStream"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        page.call("Tracing.end")

    # Ports that are not those of a browser

    def assert_refused(self, port, *words):
        for command in (["live"], ["record", "chrome", "-o", "app"]):
            ended = self.run_program(*command, "--attach", f"chrome:{port}")
            self.assertEqual(ended.returncode, 69, ended.stderr)
            self.assertEqual(ended.stdout, "")
            # The view first says that there is no terminal, once it has connected.
            lines = [line for line in ended.stderr.splitlines() if "a line per second instead" not in line]
            self.assertEqual(len(lines), 1, ended.stderr)
            self.assertNotIn("\x1b", ended.stderr)
            for word in words:
                self.assertIn(word, lines[0])
        self.assertFalse(os.path.exists("app"))

    def false_server(self, *answers):
        server = FalseServer(*answers)
        self.addCleanup(server.close)
        return server.port

    def test_a_closed_port_is_an_error_that_says_how_to_open_it(self):
        # While the socket exists, no other program can listen on its port.
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            port = silent.getsockname()[1]
            self.assert_refused(port, f"no browser listens on port {port}", "--remote-debugging-port=")

    # Slow: waits for an answer that never comes.
    def test_a_port_that_is_none_of_devtools_is_an_error(self):
        for answer, words in [
            (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "is not of HTTP"), (raw(), "closes the connection"), (None, "does not answer"),
            (document("<html>"), "no JSON"), (document("{}"), "names no browser"), (document("[[[["), "no JSON"),
            (document("no", "404 Not Found"), "status is 404"),
            (raw(b"HTTP/1.1 200 OK\r\n" + b"x" * 100_000), "is not of HTTP"),
            (raw(b"HTTP/1.1 200 OK\r\n\r\n", *[b"[" * 100_000] * 60), "its answer does not end"),
        ]:
            self.assert_refused(self.false_server(answer), "is not that of a browser's DevTools", words)

    def test_a_browser_without_a_page_is_an_error(self):
        for pages in ["[]", "{}", '[{"type": "iframe", "id": "A"}]', '[{"type": "page", "id": "../browser/1"}]']:
            self.assert_refused(self.false_server(VERSION, document(pages), VERSION, document(pages)), "has no page")

    def test_a_page_that_sends_nonsense_is_an_error(self):
        for answer, words in [
            (document("no", "403 Forbidden"), "status 403"),
            (raw(UPGRADE), "was closed"), (raw(UPGRADE, b"\xff\xff\xff\xff"), "breaks the rules"),
            (raw(UPGRADE, b"\x81\x7f" + b"\x7f" * 8), "breaks the rules"),
            (raw(UPGRADE, b"\x88\x00"), "was closed"), (raw(UPGRADE, frame("{"), frame("7"), frame("[]")), "was closed"),
        ]:
            port = self.false_server(VERSION, PAGES, answer)
            ended = self.run_program("record", "chrome", "--attach", f"chrome:{port}", "-o", "app")
            self.assertEqual(ended.returncode, 69, ended.stderr)
            self.assertIn(words, ended.stderr)
            self.assertNotIn("\x1b", ended.stderr)
            self.assertFalse(os.path.exists("app"))

    def test_a_recording_with_a_broken_part_is_an_error(self):
        complete = {"Tracing.end": [{"method": "Tracing.tracingComplete", "params": {"stream": "1"}}]}
        page = scripted({"IO.read": {"data": "%%%", "base64Encoded": True, "eof": True}}, complete)
        port = self.false_server(VERSION, PAGES, page)
        ended = self.run_program("record", "chrome", "--attach", f"chrome:{port}", "--for", "1s", "-o", "app")
        self.assertEqual(ended.returncode, 69, ended.stderr)
        self.assertIn("sends a part of the recording that is not in base64", ended.stderr)
        self.assertFalse(os.path.exists("app"))

    def test_a_recording_that_has_no_end_is_an_error(self):
        complete = {"Tracing.end": [{"method": "Tracing.tracingComplete", "params": {"stream": "1"}}]}
        page = scripted({"IO.read": {"data": "", "eof": False}}, complete)
        port = self.false_server(VERSION, PAGES, page)
        ended = self.run_program("record", "chrome", "--attach", f"chrome:{port}", "--for", "1s", "-o", "app")
        self.assertEqual(ended.returncode, 69, ended.stderr)
        self.assertIn("sends parts of the recording without bytes", ended.stderr)
        self.assertFalse(os.path.exists("app"))

    def test_a_recording_without_its_beginning_says_so_for_ever(self):
        complete = {"Tracing.end": [
            {"method": "Tracing.tracingComplete", "params": {"stream": "1", "dataLossOccurred": True}}]}
        trace = [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}}]
        for number in range(400):
            at = 10_000 * number
            trace.append({"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": at, "dur": 2000})
            trace.append({"ph": "I", "name": "BeginMainThreadFrame", "pid": 7, "tid": 1, "ts": at + 100})
            trace.append({"ph": "X", "name": "Commit", "pid": 7, "tid": 1, "ts": at + 1500, "dur": 200,
                          "args": {"frameSeqId": number}})
            report = {"state": "STATE_PRESENTED_ALL", "frame_sequence": number, "layer_tree_host_id": 1, "frame_source": 9}
            for phase, instant in (("b", at), ("e", at + 9000)):
                trace.append({"ph": phase, "cat": "cc", "name": "PipelineReporter", "id": str(number), "pid": 7, "tid": 2,
                              "ts": instant, "args": {"frame_reporter": report}})
        page = scripted({"IO.read": {"data": json.dumps({"traceEvents": trace}), "eof": True}}, complete)
        port = self.false_server(VERSION, PAGES, page)
        ended = self.run_program("record", "chrome", "--attach", f"chrome:{port}", "--for", "1s", "-o", "app", timeout=SEARCH)
        said = "not part of the recording: the beginning, because the browser's buffer was full"
        self.assertIn(said, ended.stderr)
        for file, words in ("app/README.md", "- not part of it: the beginning, because"), ("app/index.html", "Not part of this: the beginning"):
            if os.path.exists(file):
                with open(file, encoding="utf-8") as text:
                    self.assertIn(words, text.read())

    def test_a_request_to_end_ends_a_recording_that_is_being_completed(self):
        port = self.false_server(VERSION, PAGES, scripted({}, {}))
        session = Session(
            [PROGRAM, "record", "chrome", "--attach", f"chrome:{port}", "--for", "1s", "-o", "app"], columns=160)
        self.addCleanup(session.close)
        session.wait("completing the recording")
        session.kill(signal.SIGTERM)
        self.assertEqual(session.end(), 143, session.text())
        self.assertEqual(os.listdir("."), [])

    def test_what_comes_together_with_the_end_is_counted(self):
        period = 1000 / 60
        drawn = [[step * period, step * period + 1, step * period + 3, int(step == 0)] for step in range(10)]
        late = drawn[-1][0] + period
        drawn.append([late, late + 700, late + 702, 0])
        report = {"origin": 1.7e12, "now": late + 703, "hidden": False, "cost": 0.5, "frames": drawn, "long": []}
        # The answers to the commands behind Performance.enable: a world, the script in it, and its first report.
        results = [{"executionContextId": 7}] + [{"result": {"value": value}} for value in ("http://a/", json.dumps(report))]
        answers = [frame(json.dumps({"id": number, "result": result})) for number, result in enumerate(results, 2)]
        for end in (b"\x88\x00", b"\xff\xff"):
            port = self.false_server(VERSION, PAGES, raw(UPGRADE + b"".join(answers) + end))
            ended = self.run_program("live", "--attach", f"chrome:{port}")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn("the view keeps what was seen", ended.stderr)
            # The frame waited for 42 vsyncs.
            self.assertRegex(ended.stdout, r"\b4[0-2] of 5\d frames")

    # A page

    @NEEDS_BROWSER
    def test_an_unknown_page_is_an_error_that_names_the_others(self):
        running = self.browser()
        ended = self.run_program("live", "no such page", "--attach", f"chrome:{running.port}")
        self.assertEqual(ended.returncode, 66, ended.stderr)
        self.assertRegex(ended.stderr, r"no page of .*'no such page' in its address or title; it has http://127")

    # Slow: plants thirty hangs of up to 600 ms. Beside other load, which adds waits of its own, it proves nothing.
    @unittest.skipUnless("FRAMEBUDGET_QUIET" in os.environ, "measures a quiet machine: FRAMEBUDGET_QUIET=1")
    @NEEDS_BROWSER
    def test_planted_hangs_are_found_with_their_length(self):
        running = self.browser()
        page = self.page(running)
        live = self.live(running)
        lengths = [20 + 20 * step for step in range(30)]
        for length in lengths:
            page.run(f"plant({length})")
            # The view stands still while nothing reads its terminal.
            rested = time.monotonic() + 0.25 + length / 1000
            live.wait(lambda _: time.monotonic() > rested)
        live.wait(lambda live: re.search(r"last late frame [56]\d\d ms: busy \(", live.text()))
        live.press("w")
        live.wait("saved frames-page.csv")
        planted = page.run("planted")
        live.press("q")
        self.assertEqual(live.end(), 0)
        with open("frames-page.csv", encoding="utf-8", newline="") as file:
            waits = [float(row["logic_ms"]) + float(row["wakeup_ms"]) for row in csv.DictReader(file)]
        self.assertEqual(len(planted), len(lengths))
        # In the order in which they ran, each is the next frame that waits for about its length.
        found, place = 0, 0
        for start, end in planted:
            near = next((place + step for step, wait in enumerate(waits[place:])
                         if abs(wait - (end - start)) <= 1000 / 60), None)
            if near is not None:
                found, place = found + 1, near + 1
        self.assertGreaterEqual(found, 29, f"{planted} {[wait for wait in waits if wait > 3]}")

    @NEEDS_BROWSER
    def test_a_hang_is_shown_while_it_lasts_and_named_afterwards(self):
        running = self.browser()
        page = self.page(running)
        live = self.live(running, columns=80, rows=24)

        def is_named(live):
            return re.search(r"last late frame 3(\.\d)? s: busy \(", live.text())
        # On a busy machine another late frame may follow at once.
        end = time.monotonic() + PATIENCE
        while not is_named(live):
            self.assertLess(time.monotonic(), end, live.text())
            before = page.run("planted.length")
            page.send("Runtime.evaluate", expression="plant(3000)")
            live.wait("HANGS:")
            live.wait(lambda live: "HANGS:" not in live.text())
            # Something else may have hung. The report of the planted one may take a moment.
            live.wait(lambda live: page.run("planted.length") > before)
            seen = time.monotonic() + 1
            live.wait(lambda live: is_named(live) or time.monotonic() > seen)
        live.press("i")
        live.wait("▲")

    @NEEDS_BROWSER
    def test_it_leaves_nothing_behind_however_it_ends(self):
        running = self.browser(JANK)
        page = self.page(running)
        for end in ["q", signal.SIGINT, signal.SIGTERM]:
            live = self.live(running)
            self.assertIn("object", page.in_worlds("typeof framebudget"))
            self.assertEqual(page.run("typeof framebudget"), "undefined")
            if end == "q":
                live.press("q")
            else:
                live.kill(end)
            self.assertEqual(live.end(), 0 if end == "q" else 128 + end)
            self.assert_nothing_left(page)
        # Killed, it cannot say goodbye: the script stops by itself.
        live = self.live(running)
        is_running = "self.framebudget?.isRunning() ?? false"
        self.assertIn(True, page.in_worlds(is_running))
        live.kill(signal.SIGKILL)
        live.end()
        end = time.monotonic() + PATIENCE
        while True in page.in_worlds(is_running):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        self.assertIsNone(running.process.poll())

    @NEEDS_BROWSER
    def test_two_views_of_a_page_do_not_disturb_one_another(self):
        running = self.browser(JANK)
        page = self.page(running)
        views = [self.live(running), self.live(running)]
        for view in views:
            view.wait(lambda view: self.frames(view) > 60)
        views[0].press("q")
        self.assertEqual(views[0].end(), 0)
        before = self.frames(views[1])
        views[1].wait(lambda view: self.frames(view) > before + 60)
        views[1].press("q")
        self.assertEqual(views[1].end(), 0)
        self.assert_nothing_left(page)

    @NEEDS_BROWSER
    def test_another_document_a_hidden_page_and_the_end_are_told(self):
        running = self.browser()
        page = self.page(running)
        live = self.live(running)
        page.call("Page.navigate", url=running.site.address() + "other")
        live.wait("the page opened http://127.0.0.1")
        live.press("x")
        live.wait(lambda live: "/other  60 Hz" in live.text() and self.frames(live) > 60)
        # Another host is another process.
        page.call("Page.navigate", url=running.site.address("localhost") + "jank")
        live.wait("the page opened http://localhost")
        live.wait("last late frame")
        running.ask(f"/json/close/{page.id}")
        live.wait("the page was closed; the view keeps what was seen")
        live.wait("ended")
        live.press("q")
        self.assertEqual(live.end(), 0)

    @NEEDS_BROWSER
    def test_a_page_that_crashes_and_a_browser_that_ends_are_told(self):
        for how in ["page", "browser"]:
            running = self.browser()
            live = self.live(running)
            if how == "page":
                self.page(running).send("Page.crash")
                live.wait("the page crashed; the view keeps what was seen")
            else:
                running.close()
                live.wait("the page was closed; the view keeps what was seen")
            live.press("q")
            self.assertEqual(live.end(), 0)

    @NEEDS_BROWSER
    def test_without_a_terminal_there_is_a_line_per_second_until_the_end(self):
        running = self.browser(JANK)
        process = subprocess.Popen(
            [PROGRAM, "live", "--attach", f"chrome:{running.port}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=usual_signals)
        lines = [process.stdout.readline() for _ in range(3)]
        for line in lines:
            self.assertRegex(line, r"^\d+\.\d s  127\.0\.0\.1:\d+/  dropped \d+ ")
        running.ask(f"/json/close/{running.pages()[0]['id']}")
        output, diagnostics = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, diagnostics)
        self.assertRegex(output, r"127\.0\.0\.1:\d+/: .*; last late frame ")
        self.assertIn("the page was closed; the view keeps what was seen", diagnostics)

    # Recordings

    def recording(self, running):
        """A recording on a terminal, which has begun."""
        session = Session(
            [PROGRAM, "record", "chrome", "--attach", f"chrome:{running.port}", "--for", "10min", "-o", "app"], columns=160)
        self.addCleanup(session.close)
        session.wait(lambda session: re.search(r"recording: [1-9]\d* s of", session.text()))
        return session

    # Slow: records for some seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_a_page_that_runs_is_recorded(self):
        running = self.browser(JANK)
        page = self.page(running)
        ended = self.run_program(
            "record", "chrome", "page one", "--attach", f"chrome:{running.profile}", "--for", "3s", "-o", "app",
            timeout=SEARCH)
        self.assertIn(ended.returncode, (0, 1, 2), ended.stderr)
        self.assertLessEqual({"page.json.gz", "page.yaml", "README.md"}, set(os.listdir("app")), ended.stderr)
        self.assertRegex(ended.stdout, r"\Arecorded: \d+ of \d+ \([\d.]+ %\) dropped; the replay: ")
        with open("app/page.yaml", encoding="utf-8") as scenario:
            self.assertIn("busy", scenario.read())
        self.assert_nothing_left(page)

    # Slow: records for some seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_the_page_that_is_recorded_is_named(self):
        running = self.browser(JANK)
        other = f"{running.site.address()}other"
        running.ask(f"/json/new?{other}", "PUT")
        end = time.monotonic() + PATIENCE
        while {page["title"] for page in running.pages()} != {"page one", "page two"}:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        ended = self.run_program(
            "record", "chrome", running.site.address(), "--attach", f"chrome:{running.profile}", "--for", "3s", "-o", "app",
            timeout=SEARCH)
        self.assertIn(ended.returncode, (0, 1, 2), ended.stderr)
        named = re.search(r"the page is (http://\S+) \((page \w+)\), the one of 2 such pages that was used last", ended.stderr)
        self.assertTrue(named, ended.stderr)
        if os.path.exists("app/index.html"):
            with open("app/index.html", encoding="utf-8") as page:
                self.assertIn(named[1], page.read())
        # The other one is judged by it only with a warning.
        # A page in the background draws nothing.
        two = "page two" if named[2] == "page one" else "page one"
        running.ask(f"/json/activate/{next(page['id'] for page in running.pages() if page['title'] == two)}")
        ended = self.run_program(
            "record", "chrome", two, "--attach", f"chrome:{running.profile}", "--for", "3s", "--again", "app", timeout=SEARCH)
        self.assertRegex(ended.stderr, r"warning: the earlier recording is of http://\S+, and this one of http://")

    @NEEDS_BROWSER
    def test_a_recording_that_is_interrupted_leaves_the_browser_alone(self):
        running = self.browser(JANK)
        page = self.page(running)
        session = self.recording(running)
        session.kill(signal.SIGTERM)
        self.assertEqual(session.end(), 143, session.text())
        self.assert_nothing_left(page)
        self.assert_not_recorded(page)

    @NEEDS_BROWSER
    def test_a_page_that_goes_ends_its_recording(self):
        for how in ["crash", "close"]:
            running = self.browser()
            session = self.recording(running)
            if how == "crash":
                self.page(running).send("Page.crash")
            else:
                running.ask(f"/json/close/{running.pages()[0]['id']}")
            self.assertEqual(session.end(), 69, session.text())
            self.assertRegex(session.text(), r"(crashed|was closed); the recording ends there, after \d+ s\s")
            self.assertIn("keeps no recording of a page that has gone", session.text())
            self.assertFalse(os.path.exists("app"))

    # Slow: records for ten seconds, and looks for advice.
    @NEEDS_BROWSER
    def test_advice_is_shown_beside_the_view(self):
        running = self.browser(JANK)
        page = self.page(running)
        live = self.live(running)
        live.press("a")
        live.wait("recording: ")
        live.press("a")
        live.wait("recording: ")
        live.wait("ADVICE", SEARCH)
        live.wait("recorded: ")
        self.assertLessEqual({"page.json.gz", "README.md"}, set(os.listdir("page-1")))
        # The view went on.
        self.assertRegex(live.text(), r" of \d+ frames")
        live.press("\x1b")
        live.wait("FRAME TIME")
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assert_nothing_left(page)

    # Slow: records for some seconds.
    @NEEDS_BROWSER
    def test_a_view_that_ends_ends_its_recording(self):
        running = self.browser(JANK)
        page = self.page(running)
        live = self.live(running)
        live.press("a")
        live.wait("recording: ")
        # The view stands still while nothing reads its terminal.
        rested = time.monotonic() + 1
        live.wait(lambda _: time.monotonic() > rested)
        live.press("q")
        self.assertEqual(live.end(), 0)
        self.assert_nothing_left(page)
        self.assert_not_recorded(page)


if __name__ == "__main__":
    unittest.main()
