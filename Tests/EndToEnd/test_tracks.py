"""Records one page as JSON and as Perfetto's track events, and compares what `learn` finds in either."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import browser

PROGRAM = os.environ["FRAMEBUDGET"]
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "benchmarks", "browser"))

import record  # noqa: E402

# Draws in every frame. Four times a second two calls of 30 ms each, in one task, which the page measures itself.
PAGE = """<!doctype html><title>page</title><div id=box>0</div><script>
let frames = 0;
function frame() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(frame); }
function call(name) {
  const start = performance.now();
  while (performance.now() < start + 30);
  performance.measure(name, {start, end: performance.now()});
}
setInterval(() => { call("hash"); call("index"); }, 257);
requestAnimationFrame(frame);
</script>"""


@unittest.skipUnless(browser.path(), "no chromium: no page is recorded")
class TracksTest(unittest.TestCase):
    def learned(self, folder, page, form):
        """The report of the recording in a format."""
        file = os.path.join(folder, form)
        page.record(file, 5, record.CATEGORIES, "0", form=form)
        done = subprocess.run(
            [PROGRAM, "learn", file, "-o", file + "-learned"], capture_output=True, text=True, timeout=300)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        return done.stdout

    def number(self, pattern, report):
        found = re.search(pattern, report)
        self.assertTrue(found, f"{pattern}: {report}")
        return float(found[1])

    # Slow: records for ten seconds, and a debug build learns from both.
    def test_both_formats_say_the_same(self):
        with tempfile.TemporaryDirectory() as folder, browser.Browser(*record.OPTIONS) as page:
            file = os.path.join(folder, "page.html")
            with open(file, "w", encoding="utf-8") as text:
                text.write(PAGE)
            page.call("Page.bringToFront")
            page.open(file)
            for form in ["json", "proto"]:
                report = self.learned(folder, page, form)
                with self.subTest(form=form, report=report):
                    self.assertIn("s of a chrome recording, CrRendererMain of", report)
                    self.assertGreater(self.number(r"\| dropped \| (\d+) \|", report), 0)
                    tasks = self.number(r"\| long tasks \| (\d+) \|", report)
                    self.assertGreater(tasks, 3)
                    for name in ["hash", "index"]:
                        # The calls end by the clock, so they take as long beside any other load. One at either end may lack.
                        calls = self.number(rf"\| {name} \| ([\d.]+) \|", report) / 30
                        self.assertAlmostEqual(calls, tasks, delta=1.5 + tasks / 10)
