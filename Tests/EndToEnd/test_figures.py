"""Records a page that reports its own interactions and long animation frames, and compares them with what is read."""
import os
import sys
import tempfile
import unittest

import browser

PROGRAM = os.environ["FRAMEBUDGET"]
BENCHMARKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "benchmarks", "browser")
sys.path.append(BENCHMARKS)

import figures  # noqa: E402
import record  # noqa: E402

# Clicks of which each takes another time, beside a timer; both make animation frames long. One click is longer than any other
# beside the timer, because browsers round durations to 8 ms and pages choose among equal ones.
PAGE = """<!doctype html><meta charset="utf-8"><title>Clicks</title>
<button style="width: 200px; height: 200px">0</button>
<script src="reporter.js"></script>
<script>
const button = document.querySelector("button");
let clicks = 0, frames = 0, isOver = false;
function burn(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
button.onpointerdown = () => burn(30);
button.onclick = () => { burn(clicks === 4 ? 400 : 20 + 37 * clicks % 150); button.textContent = ++clicks; };
const timer = setInterval(() => burn(70), 333);
(function frame() {
  button.style.marginLeft = `${frames++ % 50}px`;
  if (!isOver) requestAnimationFrame(frame);
})();
async function end() {
  clearInterval(timer);
  isOver = true;
  // The last frames are presented, and reported, after their work.
  await new Promise((rested) => setTimeout(rested, 500));
  return report();
}
</script>"""


class ClickingBrowser(browser.Browser):
    """Clicks twice a second while its page is recorded."""

    def leave(self, seconds):
        for _ in range(round(2 * seconds)):
            self.mouse("mousePressed", 100, 100, "left")
            self.mouse("mouseReleased", 100, 100, "left")
            super().leave(0.5)


@unittest.skipUnless(browser.path(), "no chromium: pages do not report their own numbers")
class FiguresTest(unittest.TestCase):
    # Slow: clicks take as long as a user's.
    def test_a_page_and_its_recording_have_the_same_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            with open(page, "w", encoding="utf-8") as text:
                text.write(PAGE)
            os.symlink(os.path.abspath(os.path.join(BENCHMARKS, "reporter.js")), os.path.join(folder, "reporter.js"))
            recording = os.path.join(folder, "page.json.gz")
            with ClickingBrowser(*record.OPTIONS) as clicking:
                clicking.call("Page.bringToFront")
                clicking.open(page, width=640, height=360)
                clicking.record(recording, 5, record.CATEGORIES, then="end()")
                self.assertEqual(clicking.messages, [])
            theirs = figures.reported(recording)
            self.assertGreaterEqual(theirs["interactions"], 8)
            self.assertGreaterEqual(theirs["frames"], 10)
            for name, their, our, is_near in figures.differences(theirs, figures.read(PROGRAM, recording)):
                with self.subTest(name):
                    self.assertTrue(is_near, f"page {their}, framebudget {our}")


if __name__ == "__main__":
    unittest.main()
