"""Opens pages of `framebudget report` in a browser, at the widths of a desk, a phone and paper.

FRAMEBUDGET names the program, AXE the folder with axe.min.js. If one is missing, its tests are skipped with a message.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest

import browser

PROGRAM = os.environ["FRAMEBUDGET"]
HERE = os.path.dirname(os.path.abspath(__file__))
AXE = os.path.join(os.environ.get("AXE", ""), "axe.min.js")
with open(os.path.join(HERE, "layout.js"), encoding="utf-8") as script:
    LAYOUT = script.read()

# A4 without its margins, in the pixels of a style sheet.
WIDTHS = {"desk": 1400, "phone": 390, "paper": 688}


def run(*arguments):
    result = subprocess.run([PROGRAM, *arguments], check=False, capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


# Taps that want frames, and a photo that holds the main thread, unless it is elsewhere.
ON_DEMAND = """
scenario: on-demand
display: {like: PLATFORM, refresh: 60 Hz, render: 4 ms}
duration: 2 s
services: {photos: {}}
workloads:
  - {name: add, arrival: {once: 1, start: 505 ms}, draws: true, steps: [{service: photos, cpu: 120 ms}]}
  - {name: tap, arrival: {every: 40 ms}, draws: true, steps: [{service: photos, cpu: 1 ms}]}
strategies: [main-thread, schedulable]
"""
PLATFORMS = ["ios", "macos", "android", "chrome", "flutter", "gtk", "qt", "firefox"]


class PictureTest(unittest.TestCase):
    def test_drops_only_what_the_run_dropped(self):
        for platform in PLATFORMS:
            for trace in (False, True):
                with self.subTest(platform, trace=trace), tempfile.TemporaryDirectory() as folder:
                    self.check(platform, trace, folder)

    def check(self, platform, trace, folder):
        scenario, page = os.path.join(folder, "app.yaml"), os.path.join(folder, "page.html")
        with open(scenario, "w", encoding="utf-8") as file:
            file.write(ON_DEMAND.replace("PLATFORM", platform))
        result = os.path.join(folder, "result")
        run("run", scenario, "--engine", "virtual", "--quiet", "-o", result, "--frames", f"{result}/frames.csv",
            *(["--trace", f"{result}/trace.json"] if trace else []))
        run("report", result, "-o", page)
        with open(f"{result}/summary.csv", encoding="utf-8") as file:
            dropped = {row["strategy"]: int(row["dropped_frames"]) for row in csv.DictReader(file)}
        self.assertEqual(dropped["schedulable"], 0)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        pictures = re.findall(r'aria-label="a new frame at \d+ of \d+ vsyncs, (\d+) dropped(, \d+ not due)?"', text)
        self.assertEqual(len(pictures), 2, text)
        self.assertIn(int(pictures[0][0]), range(1, dropped["main-thread"] + 1))
        self.assertEqual(int(pictures[1][0]), 0)
        self.assertTrue(pictures[1][1])


@unittest.skipUnless(browser.path(), "no chromium: pages are not opened")
class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pages = {}
        cls.make_pages()
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    @classmethod
    def make_pages(cls):
        def results(name, scenario, *options, frames=True, trace=False):
            folder = os.path.join(cls.folder.name, name)
            arguments = ["run", scenario, "--engine", "virtual", "--quiet", "-o", folder, *options]
            arguments += ["--frames", f"{folder}/frames.csv"] if frames else []
            run(*arguments, *(["--trace", f"{folder}/trace.json"] if trace else []))
            return folder

        def page(name, *results):
            cls.pages[name] = os.path.join(cls.folder.name, f"{name}.html")
            run("report", *results, "-o", cls.pages[name])

        hang = results("hang", "camera-upload", "--duration", "4 s", trace=True)
        load = "workloads.add-file.arrival.once=100,400,900"
        bears = os.path.join(cls.folder.name, "bears")
        run("limit", "camera-upload", "--duration", "2 s", "--quiet", "-o", bears)
        page("hang", hang, bears)
        page("all", results("all", "camera-upload", "--strategy", "all"))
        page("open", results("open", "lock-order", trace=True))
        page("sweep", results("sweep", "camera-upload", "--vary", load, "--duration", "3 s", "--strategy",
                              "main-thread,time-sliced,threads-and-locks"))
        many = ["--vary", "workloads.add-file.arrival.once=50..400:50"]
        render = ["--vary", "display.render=4..12:2 ms"]
        for name, vary in [
            ("seeds", [*many, "--vary", "seed=1..20"]), ("heat", [*many, *render]),
            ("bars", [*many, *render, "--vary", "workloads.add-file.arrival.start=0..500:250 ms"]),
        ]:
            page(name, results(name, "camera-upload", "--duration", "4 s", "--strategy", "main-thread,schedulable",
                               *vary, frames=False))
        advised = os.path.join(cls.folder.name, "advised")
        run("advise", "tap-behind-files", "--quiet", "-o", f"{advised}/")
        page("advice", advised)
        run("run", f"{advised}/advice.yaml", "--engine", "virtual", "--quiet", "-o", advised, "--frames",
            f"{advised}/frames.csv")
        page("advised", advised)
        page("shares", *cls.make_shares())
        proofs = os.path.join(cls.folder.name, "proofs.csv")
        run("prove", "camera-upload", "--strategy", "all", "--quiet", "--format", "csv", "-o", proofs)
        page("proofs", proofs)
        page("two", hang, results("taps", "tap-behind-files"))
        page("bare", results("bare", "camera-upload", "--duration", "3 s", frames=False) + "/summary.csv")

    @classmethod
    def make_shares(cls):
        """Results of an app before and after the costs of a service and of drawing changed, and the output of `explain`."""
        app = """
            scenario: app
            display: {refresh: 60 Hz, render: RENDER}
            duration: 1 s
            services: {files: {}, index-of-photos-that-a-user-searches-for: {}}
            workloads:
              - name: add
                arrival: {once: 100, start: 100 ms}
                steps: [{service: files, cpu: COST}, {service: index-of-photos-that-a-user-searches-for, cpu: 0.2 ms}]
            strategies: [main-thread]
            """
        paths = [os.path.join(cls.folder.name, name) for name in ("before", "after")]
        for path, render, cost in zip(paths, ["9 ms", "6 ms"], ["1 ms", "4 ms"]):
            with open(f"{path}.yaml", "w", encoding="utf-8") as file:
                file.write(app.replace("\n            ", "\n").replace("RENDER", render).replace("COST", cost))
            run("run", f"{path}.yaml", "--engine", "virtual", "--quiet", "-o", path)
        shares, parts = (os.path.join(cls.folder.name, name) for name in ("shares.csv", "parts.csv"))
        run("explain", *(f"{path}.yaml" for path in paths), "--format", "csv", "-o", shares, "--quiet")
        run("explain", f"{paths[1]}.yaml", "--format", "csv", "-o", parts, "--quiet")
        return [*paths, shares, parts]

    def open(self, page, **options):
        self.browser.open(self.pages.get(page, page), **options)

    def unfold(self):
        """Opens all folded sections."""
        self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")

    # Slow: opens every page at every width.
    def test_nothing_is_cut_overlaps_or_is_too_small_to_read(self):
        for page in self.pages:
            for place in WIDTHS:
                with self.subTest(page=page, place=place):
                    self.open(page, width=WIDTHS[place], media="print" if place == "paper" else "")
                    self.unfold()
                    self.assertEqual(self.browser.run(LAYOUT), [])

    def test_loads_nothing_but_its_own_file(self):
        for page in self.pages:
            with self.subTest(page=page):
                self.open(page)
                self.assertEqual([url[:5] for url in self.browser.requests if not url.startswith("data:")], ["file:"])
                self.assertEqual(self.browser.messages, [])

    def test_planted_errors_are_found(self):
        """Proves that the tests above can fail."""
        with open(self.pages["hang"], encoding="utf-8") as page:
            html = page.read()
        for mistake, found in [
            ("<p style='width:2000px'>wide</p>", "sideways"), ("<p style='font-size:11px'>small</p>", "text of 11px"),
            ("<p style='width:40px;overflow:hidden;white-space:nowrap'>a long line</p>", "wider than its box"),
            ("<p style='height:9px;overflow:hidden'>cut</p>", "higher than its box"),
            ("<p style='position:relative;height:0;margin:0'>over<span style='position:absolute;left:0'>lap</span></p>",
             "overlap"),
        ]:
            with self.subTest(mistake=mistake):
                self.browser.open(self.write("wrong", html.replace("</main>", f"{mistake}</main>")))
                self.assertTrue(any(found in line for line in self.browser.run(LAYOUT)), mistake)
        for mistake in ["<script>undefinedFunction()</script>", "<img src='http://127.0.0.1:9/x.png' alt=''>"]:
            with self.subTest(mistake=mistake):
                self.browser.open(self.write("wrong", html.replace("</main>", f"{mistake}</main>")))
                self.assertTrue(self.browser.messages, mistake)

    def write(self, name, html):
        file = os.path.join(self.folder.name, f"{name}.html")
        with open(file, "w", encoding="utf-8") as page:
            page.write(html)
        return file

    def test_prints_on_a4(self):
        for page in self.pages:
            with self.subTest(page=page):
                self.open(page)
                pdf = self.browser.pdf()
                sizes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", pdf)
                self.assertTrue(sizes)
                for size in sizes:
                    self.assertAlmostEqual(float(size[0]), 595, delta=1)
                    self.assertAlmostEqual(float(size[1]), 842, delta=1)

    # Slow: axe-core examines every page at every width.
    @unittest.skipUnless(os.path.exists(AXE), "no axe-core: pages are not checked for accessibility")
    def test_axe_finds_no_violation(self):
        with open(AXE, encoding="utf-8") as file:
            axe = file.read()
        # The dark mode changes colours only.
        for page, place, dark, rules in [
            ("hang", "desk", False, "{}"), ("hang", "desk", True, "{runOnly: ['color-contrast']}"),
            ("open", "phone", True, "{}"), ("sweep", "phone", False, "{}"), ("two", "desk", False, "{}"),
            ("seeds", "desk", False, "{}"), ("heat", "phone", False, "{}"), ("bars", "desk", True, "{}"),
            ("advice", "phone", False, "{}"), ("advised", "desk", True, "{}"), ("shares", "desk", False, "{}"),
        ]:
            with self.subTest(page=page, place=place, dark=dark):
                try:
                    found = self.violations(axe, page, place, dark, rules)
                except browser.Broken as failure:
                    # On a machine with little memory the kernel ends the page's process first.
                    print(f"{failure}: once more in a new browser", file=sys.stderr)
                    self.browser.close()
                    type(self).browser = browser.Browser()
                    found = self.violations(axe, page, place, dark, rules)
                self.assertEqual(found, [])

    def violations(self, axe, page, place, dark, rules):
        self.open(page, width=WIDTHS[place], dark=dark)
        if page == "hang":
            self.unfold()
        self.browser.run(axe + ";0")
        return self.browser.run(
            f"axe.run({rules}).then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200)))")

    def test_is_complete_without_scripts(self):
        self.open("hang", script=False)
        self.assertEqual(self.browser.run(LAYOUT), [])
        self.assertGreater(self.browser.run("document.querySelectorAll('.gap').length"), 0)
        self.assertTrue(self.browser.run("document.querySelector('.zoom').hidden"))

    def place(self, selector):
        box = self.browser.run(
            f"(b => [b.left, b.top, b.width, b.height])(document.querySelector({selector!r}).getBoundingClientRect())")
        return box[0], box[1] + box[3] / 4, box[2]

    def test_the_pointer_shows_the_phases_of_a_frame(self):
        self.open("hang")
        left, y, width = self.place(".gap")
        self.browser.mouse("mouseMoved", left + width / 2, y)
        tip = self.browser.run("document.getElementById('tip').textContent")
        self.assertRegex(tip, r"(?s)^frame at 1\.000 s: no new frame .* because of business logic\nbusiness logic \d+")

    def test_dragging_over_a_span_zooms_all_strips(self):
        self.open("hang")
        left, y, width = self.place("tbody .strip")
        self.browser.mouse("mouseMoved", left + width * 0.25, y)
        self.browser.mouse("mousePressed", left + width * 0.25, y, "left")
        self.browser.mouse("mouseMoved", left + width * 0.5, y, "left")
        self.browser.mouse("mouseReleased", left + width * 0.5, y, "left")
        shares = self.browser.run(
            "[...document.querySelectorAll('.strip')].map(s => "
            "s.querySelector('.time').getBoundingClientRect().width / s.getBoundingClientRect().width)")
        self.assertGreater(len(shares), 5)
        for share in shares:
            self.assertAlmostEqual(share, shares[0], delta=0.01)
        # A quarter of the strip, without its margins.
        self.assertAlmostEqual(shares[0], 3.7, delta=0.2)
        self.assertEqual(self.browser.run("document.querySelector('.axis .first').textContent"), "1.0 s")
        self.browser.run("document.querySelector('[data-zoom=all]').click()")
        self.assertEqual(self.browser.run("document.querySelector('.chapter').style.getPropertyValue('--zoom')"), "1")


if __name__ == "__main__":
    unittest.main()
