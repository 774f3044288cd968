"""Records pages that nobody tuned for framebudget, as their users would, and compares the answers with the truth.

usage: series.py FRAMEBUDGET FOLDER SECONDS RUNS

Each page of truth.json is recorded RUNS times by `framebudget record chrome`. Then the first advice for each page is built for
real, as the page with another address, and recorded three times. FOLDER gets the recordings, with a row of figures each, and
strangers.md, the table. Existing rows are kept, so an interrupted series can be continued.
"""
import csv
import gzip
import http.server
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

import measuring  # noqa: E402

# Where Debian's packages libjs-* have their files.
LIBRARIES = "/usr/share/javascript"

TRIES = 3
# The number of recordings of built advice, and the dropped frames in % with which its aim is met.
BUILT, MOST = 3, 1.0

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
TAGS = ["shade", "sun", "herb", "tree", "pot", "bulb", "climber", "evergreen", "edible", "annual", "native", "fragrant"]
WORDS = ("the market opens near the river and the garden behind the bridge is full of music while bread is baked for the "
         "school in winter").split()


def products():
    return [{"name": f"Plant {i}", "price": 2 + i * 7919 % 9000 / 100, "tags": [TAGS[(i + j * (1 + i % 5)) % 12] for j in range(5)]}
            for i in range(3000)]


def posts(page):
    return [{"author": f"user{i * 31 % 97}", "text": " ".join(WORDS[(i * 7 + j * (page + i % 3)) % len(WORDS)] for j in range(200))}
            for i in range(2200)]


class Site:
    """A server on this machine for the pages, under two addresses: the pages' own, and that of their third parties."""

    def __init__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                content = site.content(self.path, self.server is site.third)
                if content is None:
                    return self.send_error(404)
                self.send_response(200)
                self.send_header("Content-Type", TYPES.get(os.path.splitext(urllib.parse.urlsplit(self.path).path)[1], "text/plain"))
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.own, self.third = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2))
        self.known = {}
        for server in (self.own, self.third):
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def close(self):
        for server in (self.own, self.third):
            server.shutdown()
            server.server_close()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.own.server_port}/"

    def content(self, url, is_third):
        """The bytes of a file or of data; None if there is neither. Each is made once."""
        if (url, is_third) not in self.known:
            self.known[url, is_third] = self.made(urllib.parse.urlsplit(url), is_third)
        return self.known[url, is_third]

    def made(self, url, is_third):
        path = url.path.lstrip("/")
        if path == "products.json":
            return json.dumps(products()).encode()
        if path == "posts.json":
            return json.dumps(posts(int(urllib.parse.parse_qs(url.query)["page"][0]))).encode()
        folder = os.path.join(HERE, "third-party") if is_third else HERE
        if path.startswith("lib/"):
            folder, path = LIBRARIES, path.removeprefix("lib/")
        file = os.path.normpath(os.path.join(folder, path))
        if not file.startswith(folder + os.sep) or not os.path.isfile(file):
            return None
        with open(file, "rb") as bytes_:
            return bytes_.read().replace(b"http://third.party/", f"http://localhost:{self.third.server_port}/".encode())


def events(recording):
    """Those with the figures of the page, of reporters, and the last instant in us. Chrome writes each event on a line."""
    with gzip.open(recording, "rt", encoding="utf-8") as text:
        found = json.load(text)["traceEvents"]
    end = max(event["ts"] + event.get("dur", 0) for event in found if "ts" in event)
    # A mark at the very end of a recording can lack its detail.
    marks = [event for event in found if event["name"] == "frames" and "blink.user_timing" in event.get("cat", "")
             and "detail" in event["args"].get("data", {})]
    reports = [event for event in found if event["name"] == "PipelineReporter" and event["ph"] == "b"]
    return marks, reports, end


def own_figures(marks, end):
    """Of the page itself: vsyncs from its first mark to its last one, and those without an animation frame, and long animation
    frames. A page without a mark for a second before the end has hung until then."""
    details = [json.loads(mark["args"]["data"]["detail"]) for mark in marks]
    first, last = details[0], details[-1]
    # Instants of single frames are rounded.
    spaced = [detail for detail in details if detail["count"] % 12 == 0]
    period = min((after["vsync"] - before["vsync"]) / (after["count"] - before["count"])
                 for before, after in zip(spaced, spaced[1:]))
    vsyncs = round((last["vsync"] - first["vsync"]) / period)
    missed = vsyncs - (last["count"] - first["count"])
    silent = (end - marks[-1]["ts"]) / 1000
    hung = round(silent / period) if silent > 1000 else 0
    return {"vsyncs": vsyncs + hung, "missed": missed + hung, "long": last["long"] - first["long"]}


def reported(reports, process):
    """Of the browser's reporters on the page's frames: those that wanted an update, and those that nobody saw whole."""
    states = {}
    for event in reports:
        report = event["args"].get("frame_reporter") or event["args"].get("chrome_frame_reporter")
        if event["pid"] == process and report:
            frame = (report.get("frame_source"), report.get("frame_sequence"))
            states.setdefault(frame, set()).add(report["state"].removeprefix("STATE_"))
    wanted = [found for found in states.values() if found != {"NO_UPDATE_DESIRED"}]
    return {"reported": len(wanted), "unseen": sum("DROPPED" in found or "PRESENTED_ALL" not in found for found in wanted)}


def headline(output):
    """The first paragraph of what `record` prints, behind its line of dropped frames."""
    lines = [line for line in output.splitlines() if not line.startswith("recorded:")]
    return " ".join("\n".join(lines).strip().split("\n\n")[0].split()) or "no advice: the replay contradicts the recording"


def row_of(folder, output):
    """What framebudget says of the recording in `folder`, and what the page and the browser say."""
    marks, reports, end = events(os.path.join(folder, "page.json.gz"))
    if len(marks) < 2:
        raise OSError("the page has not counted its frames")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as text:
        report = text.read()

    def pair(name):
        cells = re.search(rf"^\| {re.escape(name)} \| ([^|]*) \| ([^|]*) \|$", report, re.M)
        return [float(cell) if cell.strip() else None for cell in cells.groups()] if cells else [None, None]

    wanted, dropped, long = (pair(name) for name in ("vsyncs that wanted a frame", "dropped", "long animation frames"))
    with open(os.path.join(folder, "page.yaml"), encoding="utf-8") as text:
        verdict = re.search(r"replay: ([a-z-]+)", text.read())
    advice = os.path.join(folder, "advised", "advice.csv")
    rows = []
    if os.path.exists(advice):
        with open(advice, encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text))
    first = next((row for row in rows if row["role"] == "advice"), None)
    return {
        "wanted": wanted, "dropped": dropped, "long": long[0], "replay": verdict and verdict.group(1),
        "verdict": rows[0]["verdict"] if rows else "none", "moves": first["moves"] if first else "",
        "headline": headline(output),
        "page": own_figures(marks, end), "browser": reported(reports, marks[0]["pid"]),
    }


def write(file, text):
    """Writes a file completely or not at all."""
    with open(f"{file}.new", "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(f"{file}.new", file)


class Series:
    def __init__(self, program, folder, seconds, runs):
        self.program, self.folder, self.seconds, self.runs = program, folder, int(seconds), int(runs)
        with open(os.path.join(HERE, "truth.json"), encoding="utf-8") as text:
            self.pages = json.load(text)
        os.makedirs(folder, exist_ok=True)
        self.check()
        self.site = Site()

    def check(self):
        """Recordings of another length stay apart."""
        file = os.path.join(self.folder, "seconds")
        if os.path.exists(file):
            with open(file, encoding="utf-8") as text:
                if int(text.read()) != self.seconds:
                    sys.exit(f"{self.folder} holds recordings of another length; take another folder, or remove it")
        write(file, f"{self.seconds}\n")

    def row(self, name):
        """The row of a recording that was made; None if it was not."""
        file = os.path.join(self.folder, f"{name}.json")
        if not os.path.exists(file):
            return None
        with open(file, encoding="utf-8") as text:
            return json.load(text)

    def rows(self, page, kind=""):
        found = (self.row(f"{page['page']}{kind}-{run}") for run in range(1, max(self.runs, BUILT) + 1))
        return [row for row in found if row]

    def record(self, page, name, query):
        folder = os.path.join(self.folder, name)
        separator = "&" if query else "?"
        query += f"{separator}after={self.seconds * 0.75}" if "at the end" in page["kind"] else ""
        flow = os.path.join(HERE, f"{page['page']}.flow.json")
        command = [self.program, "record", "chrome", f"{self.site.address}{page['page']}.html{query}", "--headless",
                   "--for", f"{self.seconds}s", "--quiet", "-o", folder]
        if os.path.exists(flow):
            command += ["--flow", flow]
        for left in reversed(range(TRIES)):
            shutil.rmtree(folder, ignore_errors=True)
            run = subprocess.run(command, capture_output=True, text=True)
            try:
                if run.returncode not in (0, 1, 2):
                    raise OSError(f"exit status {run.returncode}: {run.stderr.strip()}")
                row = row_of(folder, run.stdout)
            except OSError as problem:
                if not left:
                    sys.exit(f"{name}: {problem}; repeat the command to continue")
                print(f"{name}: {problem}: once more", file=sys.stderr, flush=True)
                continue
            return write(os.path.join(self.folder, f"{name}.json"), json.dumps(row, indent=1))

    def record_all(self, wanted):
        """`wanted` are pages, names and queries. Each page is recorded once before any is repeated."""
        missing = [entry for entry in wanted if not self.row(entry[1])]
        begun = time.monotonic()
        for place, (page, name, query) in enumerate(missing):
            each = (time.monotonic() - begun) / place if place else self.seconds + 6
            left = round((len(missing) - place) * each)
            print(f"{place + 1} of {len(missing)}: {name}; about {left // 60} min {left % 60} s left", file=sys.stderr, flush=True)
            self.record(page, name, query)

    def build(self, page):
        """The address under which the first advice is built; None without advice, "" if it was not built."""
        rows = self.rows(page)
        if not rows or not rows[0]["moves"]:
            return None
        return next((query for advice, query in page.get("builds", []) if re.search(advice, rows[0]["moves"])), "")

    def run(self):
        self.record_all([(page, f"{page['page']}-{run}", "") for run in range(1, self.runs + 1) for page in self.pages])
        builds = [(page, self.build(page)) for page in self.pages]
        self.record_all([(page, f"{page['page']}-built-{run}", query) for run in range(1, min(self.runs, BUILT) + 1)
                         for page, query in builds if query])
        text = Table(self).text
        write(os.path.join(self.folder, "strangers.md"), text)
        print(text)


def percent(part, whole):
    return 100 * part / max(1, whole)


def spread(values):
    """The median and the range."""
    if not values:
        return ""
    texts = [f"{value:.1f}" for value in (statistics.median(values), min(values), max(values))]
    return texts[0] if texts[1] == texts[2] else f"{texts[0]} ({texts[1]} to {texts[2]})"


class Figures:
    """Of a recording, in percent: of the vsyncs that wanted a frame, and `counted`, `missed` and `unseen` of all that the page saw,
    because a page counts them whether anything changes or not."""

    def __init__(self, row):
        vsyncs = row["page"]["vsyncs"]
        self.recorded = percent(row["dropped"][0], row["wanted"][0])
        self.replayed = percent(row["dropped"][1], row["wanted"][1])
        self.counted = percent(row["dropped"][0], vsyncs)
        self.missed = percent(row["page"]["missed"], vsyncs)
        self.unseen = percent(row["browser"]["unseen"], vsyncs)


class Table:
    def __init__(self, series):
        self.series = series

    @property
    def text(self):
        """The page with the tables."""
        counts, answers, built = {"counted": 0, "replayed": 0, "named": 0, "culprits": 0}, [], []
        figures = []
        all_rows = 0
        for page in self.series.pages:
            rows = self.series.rows(page)
            found = [Figures(row) for row in rows]
            all_rows += len(rows)
            counted = sum(abs(figure.counted - figure.missed) <= 1 for figure in found)
            near = abs(statistics.median(figure.replayed - figure.recorded for figure in found)) <= 2
            counts["counted"] += counted
            counts["replayed"] += near
            figures.append([page["page"], page["kind"], spread([f.counted for f in found]), spread([f.missed for f in found]),
                            f"{counted} of {len(rows)}", spread([f.unseen for f in found]),
                            spread([f.recorded for f in found]), spread([f.replayed for f in found]), "yes" if near else "no",
                            ", ".join(sorted({row["replay"] or "" for row in rows}))])
            right = sum(self.is_right(page, row) for row in rows)
            if "culprit" in page:
                counts["culprits"] += 1
                counts["named"] += 2 * right > len(rows)
            answers.append([page["page"], page["truth"], f"{right} of {len(rows)}", rows[0]["headline"].replace("|", "\\|")])
            query = self.series.build(page)
            if query is not None:
                after = [Figures(row).recorded for row in self.series.rows(page, "-built")]
                met = sum(value <= MOST for value in after)
                built.append([page["page"], rows[0]["moves"], f"`{query}`" if query else "not built",
                              ", ".join(f"{value:.1f}" for value in after), f"{met} of {len(after)}"])
        pages = len(self.series.pages)
        priority = (" Other processes ran meanwhile, but could not interrupt (`chrt --fifo`)."
                    if os.sched_getscheduler(0) == os.SCHED_FIFO else "")
        return "\n".join([
            "# Pages that nobody tuned for this project", "",
            "[Pages](../../benchmarks/strangers/truth.json) as the web has them, recorded by `framebudget record chrome`; made by "
            "`make browser`. The first figures are in % of all vsyncs that the page saw: recorded dropped frames, those for which the page "
            "got no `requestAnimationFrame`, by its own count, and those that the browser's reporters call dropped or incomplete. The "
            "others are in % of the vsyncs that wanted a frame. All are medians, with their ranges." + priority, "",
            self.table(["page", "what it has", "dropped, of all", "missed by the page's count", "within 1 point",
                        "by the browser's reporters", "dropped, of wanted", "replayed", "within 2 points", "replay"], figures), "",
            f"Recorded dropped frames are within 1 point of the page's own count in {counts['counted']} of {all_rows} recordings; "
            f"replays within 2 points of recordings for {counts['replayed']} of {pages} pages.", "",
            "## Answers", "",
            "An answer is right if it names the function that the page's truth names, or the one that calls it, and for a healthy "
            "page if it advises nothing. The headline is that of the first recording.", "",
            self.table(["page", "truth", "right", "headline"], answers), "",
            f"The function is right in most recordings for {counts['named']} of {counts['culprits']} pages with one.", "",
            "## Advice, built", "",
            f"The first advice, built in the page, meets its aim with at most {MOST:.0f} % dropped frames.", "",
            self.table(["page", "advice", "address", "dropped, %, recorded", "meets its aim"], built), "",
        ])

    @staticmethod
    def is_right(page, row):
        if "culprit" in page:
            return any(re.search(name, row["headline"]) for name in page["culprit"])
        return row["verdict"] in ("none", "nothing-to-change")

    @staticmethod
    def table(head, rows):
        return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    measuring.perform(lambda *words: Series(*words).run(), __doc__)
