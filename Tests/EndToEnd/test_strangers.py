"""Checks the pages that nobody tuned for the project, and what is computed of their recordings; needs no browser."""
import glob
import json
import os
import re
import sys
import unittest

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "benchmarks", "strangers")
sys.path.append(PAGES)

import series  # noqa: E402

PERIOD = 1000 / 60


def mark(count, vsync):
    """One at a vsync; its instant is in us."""
    detail = json.dumps({"count": count, "vsync": vsync * PERIOD, "long": vsync // 100, "blocking": 0})
    return {"name": "frames", "pid": 7, "ts": vsync * PERIOD * 1000, "args": {"data": {"detail": detail}}}


def report(frame, state, pid=7):
    return {"pid": pid, "args": {"frame_reporter": {"frame_source": 1, "frame_sequence": frame, "state": f"STATE_{state}"}}}


class StrangersTest(unittest.TestCase):
    def truth(self):
        with open(os.path.join(PAGES, "truth.json"), encoding="utf-8") as text:
            return json.load(text)

    def test_pages_count_their_frames_and_have_what_their_truth_names(self):
        truth = self.truth()
        self.assertEqual(len(truth), 12)
        self.assertEqual(sorted(page["page"] for page in truth),
                         sorted(os.path.basename(file)[:-5] for file in glob.glob(os.path.join(PAGES, "*.html"))))
        site = series.Site()
        self.addCleanup(site.close)
        for page in truth:
            text = site.content(f"/{page['page']}.html", False).decode()
            self.assertLess(text.index("frames.js"), text.rindex("<script"), page["page"])
            scripts = [text] + [site.content(f"/{name}", False).decode() for name in re.findall(r'src="([\w.]+\.js)"', text)]
            names = [name for file, name in re.findall(r"([\w.\\]+\.js|\w+\.html)|`(\w+)`", page["truth"]) if name]
            for name in names:
                third = site.content("/ads.js", True).decode()
                self.assertTrue(any(re.search(rf"\b{name}\b", script) for script in scripts + [third]), (page["page"], name))
            self.assertEqual("culprit" in page, page["truth"] != "healthy")
            for _, query in page.get("builds", []):
                self.assertTrue(any(query.strip("?") in script for script in scripts), page["page"])

    def test_a_page_counts_the_vsyncs_without_an_animation_frame(self):
        marks = [mark(12, 100), mark(24, 112), mark(36, 130), mark(48, 142)]
        end = marks[-1]["ts"] + 500_000
        self.assertEqual(series.own_figures(marks, end), {"vsyncs": 42, "missed": 6, "long": 0})

    def test_a_page_that_hangs_until_the_end_has_missed_all_frames(self):
        marks = [mark(12, 100), mark(24, 112), mark(36, 124)]
        end = marks[-1]["ts"] + 3_000_000
        self.assertEqual(series.own_figures(marks, end), {"vsyncs": 24 + 180, "missed": 180, "long": 0})

    def test_reporters_say_which_frames_nobody_saw_whole(self):
        reports = [report(1, "PRESENTED_ALL"), report(2, "PRESENTED_PARTIAL"), report(2, "PRESENTED_ALL"),
                   report(3, "PRESENTED_PARTIAL"), report(4, "DROPPED"), report(5, "NO_UPDATE_DESIRED"),
                   report(6, "DROPPED", pid=8)]
        self.assertEqual(series.reported(reports, 7), {"reported": 4, "unseen": 2})

    def test_the_headline_is_the_answer_without_the_counts(self):
        self.assertEqual(series.headline("recorded: 8 of 358\nMove a to lane\nbackground.\n\npage: 60 Hz\n"), "Move a to lane background.")
        self.assertTrue(series.headline("recorded: 8 of 358\n").startswith("no advice"))

    def test_an_answer_is_right_if_it_names_the_culprit_or_leaves_a_healthy_page_alone(self):
        guilty = {"culprit": ["runAuction-ads-js"]}
        self.assertTrue(series.Table.is_right(guilty, {"headline": "Move runAuction-ads-js to lane background"}))
        self.assertFalse(series.Table.is_right(guilty, {"headline": "Nothing helps"}))
        self.assertTrue(series.Table.is_right({}, {"verdict": "nothing-to-change"}))
        self.assertFalse(series.Table.is_right({}, {"verdict": "change"}))


if __name__ == "__main__":
    unittest.main()
