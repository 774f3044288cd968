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

# Draws in every frame. From `begin` to `end` it makes two calls of 30 ms each four times a second, in one task, which it measures
# itself: how long they took, which on a busy machine is longer, and how many tasks there were. It also measures how long its
# clicks took.
PAGE = """<!doctype html><title>page</title><div id=box>0</div><script>
let frames = 0, tasks = 0, longest = 0, timer;
const clicks = new PerformanceObserver((list) => list.getEntries().forEach(took));
clicks.observe({type: "event", durationThreshold: 16});
function took({interactionId, duration}) { if (interactionId) longest = Math.max(longest, duration); }
function frame() { document.getElementById("box").textContent = ++frames; requestAnimationFrame(frame); }
function call(name) {
  const start = performance.now();
  burn(30);
  performance.measure(name, {start, end: performance.now()});
}
function burn(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
function begin() {
  tasks = longest = 0;
  performance.clearMeasures();
  timer = setInterval(() => { ++tasks; call("hash"); call("index"); }, 257);
}
async function end() {
  clearInterval(timer);
  // The last frame is presented after its work, and its entries are added then. A busy machine presents the click's frame late.
  for (let rests = 0; rests === 0 || longest < 100 && rests < 120; ++rests) {
    await new Promise((rested) => setTimeout(rested, 500));
    clicks.takeRecords().forEach(took);
  }
}
function total(name) { return performance.getEntriesByName(name).reduce((sum, entry) => sum + entry.duration, 0); }
document.onclick = () => burn(100);
requestAnimationFrame(frame);
</script>"""


@unittest.skipUnless(browser.path(), "no chromium: no page is recorded")
class TracksTest(unittest.TestCase):
    def learned(self, folder, page, form):
        """The report of the recording in a format; the recording has all that the page did between `begin` and `end`."""
        def meanwhile(seconds):
            page.run("begin()")
            page.leave(seconds / 2)
            page.mouse("mousePressed", 100, 100, "left")
            page.mouse("mouseReleased", 100, 100, "left")
            page.leave(seconds / 2)
            while page.run("tasks") <= 3:
                page.leave(0.1)

        file = os.path.join(folder, form)
        page.record(file, 2, record.CATEGORIES, "end()", meanwhile=meanwhile, form=form)
        done = subprocess.run([PROGRAM, "learn", file, "-o", file + "-learned"], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        return done.stdout

    def number(self, pattern, report):
        found = re.search(pattern, report)
        self.assertTrue(found, f"{pattern}: {report}")
        return float(found[1])

    # Slow: records twice, and a debug build learns from both.
    def test_both_formats_have_the_times_that_the_page_measured(self):
        with tempfile.TemporaryDirectory() as folder, browser.Browser(*record.OPTIONS) as page:
            file = os.path.join(folder, "page.html")
            with open(file, "w", encoding="utf-8") as text:
                text.write(PAGE)
            page.call("Page.bringToFront")
            page.open(file)
            for form in ["json", "proto"]:
                report = self.learned(folder, page, form)
                with self.subTest(form=form, report=report):
                    self.assertIn("s of a recording of Chrome, CrRendererMain of", report)
                    self.assertGreater(self.number(r"\| dropped \| (\d+) \|", report), 0)
                    tasks = page.run("tasks")
                    self.assertGreater(tasks, 3)
                    # Each is longer than 50 ms. Where others hold the cores, tasks of the browser may be so, too.
                    self.assertGreaterEqual(self.number(r"\| long tasks \| (\d+) \|", report), tasks)
                    # The page's durations are in steps of 8 ms.
                    self.assertAlmostEqual(
                        self.number(r"\| INP, ms \| (\d+) \|", report), page.run("longest"), delta=8)
                    for name in ["hash", "index"]:
                        took = page.run(f"total({name!r})")
                        # All calls are in the recording; without one of them the sum would be a seventh smaller.
                        self.assertAlmostEqual(
                            self.number(rf"\| {name} \| ([\d.]+) \|", report), took, delta=took / 100)


if __name__ == "__main__":
    unittest.main()
