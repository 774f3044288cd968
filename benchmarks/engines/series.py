"""Records one page in Chromium and in Firefox, and predicts dropped frames in each engine from recordings of the other.

usage: series.py FRAMEBUDGET FOLDER SECONDS RUNS

The page, batches.html, is recorded RUNS times in each engine with each of DOSES. FOLDER gets the recordings, what is learned from
them, and engines.md, the tables. Existing recordings are kept, so an interrupted series can be continued.
"""
import bisect
import csv
import functools
import gzip
import io
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "Tests", "EndToEnd")]

import browser  # noqa: E402
import firefox  # noqa: E402
import measuring  # noqa: E402

# What the timer does, by name. Its periods are so many vsyncs that batches begin at all phases of them.
DOSES = {
    "none": "every=94&items=2",
    "low": "every=306&items=12",
    "middle": "every=127&items=14",
    "high": "every=94&items=16",
    "tasks": "every=127&items=14&post=each",
}
# The time of an item, in ms.
LENGTH = 2.6
# What an item is, and the doses with it: work for LENGTH, or in Firefox too as many rounds as take that in Chromium.
WORKS = {"time": list(DOSES), "rounds": ["middle"]}
ENGINES = ["chromium", "firefox"]
# The presets of the engines, and the second stage in the median, as `learn` finds it. Chromium's preset is for a busy main
# thread; its pipeline adapts, and an idle one has a deadline of one period.
RULES = {"chromium": "like: chrome, compositor: 0.7 ms", "firefox": "like: firefox, compositor: 0.3 ms"}

# Of Firefox's profiler: samples cost the page time, and are not read.
FEATURES, INTERVAL = ["cpu", "nostacksampling"], 10
# Until timers and frames are steady, in s.
SETTLING = 1
TRIES = 3
PERIOD = 1000 / 60
# How far behind its vsync Firefox draws a picture at most, with the time to draw it, in ms.
LATEST = 6
# By how many points a prediction may be off.
MOST = 3


def write(file, text):
    """Writes a file completely or not at all."""
    with open(f"{file}.new", "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(f"{file}.new", file)


def read(file):
    """The JSON in a file; None without one."""
    if not os.path.exists(file):
        return None
    with open(file, encoding="utf-8") as text:
        return json.load(text)


def address(query=""):
    return f"file://{HERE}/batches.html" + (query and f"?{query}")


def speed(engine):
    """The rounds per millisecond."""
    script = "warmUp(), measured()"
    if engine == "firefox":
        with firefox.Firefox() as page:
            page.open(address())
            return page.run(f"return {script}")
    with browser.Browser() as tab:
        tab.open(os.path.join(HERE, "batches.html"))
        return tab.run(script)


def counted(figures):
    """What a page has seen: vsyncs, and those without an animation frame."""
    vsyncs = round((figures["last"] - figures["first"]) / PERIOD)
    return {"vsyncs": vsyncs, "missed": vsyncs - (figures["count"] - 1)}


def late_pictures(profile):
    """The number of frames that the compositor had built behind the vsync of which it still drew their picture."""
    vsyncs, built, drawn = [], {}, []
    for thread in profile["threads"]:
        names = thread["stringTable"]
        for name, start, end, *_ in thread["markers"]["data"]:
            match names[name]:
                case "VsyncTimestamp": vsyncs.append(start)
                case "CONTENT_FULL_PAINT_TIME": built[start] = end
                case "CONTENT_FRAME_TIME": drawn.append((start, end))
    vsyncs.sort()
    late = 0
    for start, end in drawn:
        place = bisect.bisect(vsyncs, end)
        late += place > 0 and start in built and built[start] > vsyncs[place - 1] and end - vsyncs[place - 1] < LATEST
    return late


def difference(before, after):
    return {"count": after["count"] - before["count"] + 1, "first": before["last"], "last": after["last"]}


class Series:
    def __init__(self, program, folder, seconds, runs):
        self.program, self.folder, self.seconds, self.runs = program, folder, int(seconds), int(runs)
        os.makedirs(folder, exist_ok=True)
        file = os.path.join(folder, "series.json")
        known = read(file)
        if not known:
            known = {"seconds": self.seconds, "speeds": {engine: speed(engine) for engine in ENGINES}}
            write(file, json.dumps(known))
        if known["seconds"] != self.seconds:
            sys.exit(f"{folder} holds recordings of another length; take another folder, or remove it")
        self.speeds = known["speeds"]

    def run_program(self, *arguments):
        run = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if run.returncode not in (0, 1, 2):
            raise OSError(f"exit status {run.returncode}: {run.stderr.strip()}")
        return run.stdout

    def record_chromium(self, url, folder):
        """What the page has counted; `folder` gets the recording."""
        self.run_program("record", "chrome", url, "--headless", "--for", f"{self.seconds}s", "--quiet", "-o", folder)
        with gzip.open(os.path.join(folder, "page.json.gz"), "rt", encoding="utf-8") as text:
            events = json.load(text)["traceEvents"]
        marks = [json.loads(event["args"]["data"]["detail"]) for event in events
                 if event["name"] == "frames" and "blink.user_timing" in event.get("cat", "")]
        return counted(difference(marks[0], marks[-1]))

    def record_firefox(self, url, folder):
        os.makedirs(folder)
        file = os.path.join(folder, "page.json")
        with firefox.Firefox() as page:
            page.open(url)
            time.sleep(SETTLING)
            found = []

            def meanwhile(seconds):
                found.append(page.run("return seen()"))
                time.sleep(seconds)
                found.append(page.run("return seen()"))

            page.record(file, self.seconds, FEATURES, INTERVAL, meanwhile)
        with open(file, "rb") as profile, gzip.open(f"{file}.gz", "wb") as packed:
            shutil.copyfileobj(profile, packed)
        late = late_pictures(read(file))
        os.remove(file)
        return {**counted(difference(*found)), "late": late}

    def record(self, engine, dose, work, name):
        folder = os.path.join(self.folder, name)
        rounds = f"&rounds={round(self.speeds['chromium'] * LENGTH)}" if work == "rounds" else ""
        url = address(DOSES[dose] + rounds)
        for left in reversed(range(TRIES)):
            shutil.rmtree(folder, ignore_errors=True)
            try:
                page = getattr(self, f"record_{engine}")(url, folder)
            except (OSError, browser.Broken, firefox.Broken) as problem:
                if not left:
                    sys.exit(f"{name}: {problem}; repeat the command to continue")
                print(f"{name}: {problem}: once more", file=sys.stderr, flush=True)
                continue
            return write(os.path.join(self.folder, f"{name}.json"), json.dumps(page))

    def rows(self, engine, dose, work):
        """The recordings, with what is learned from them."""
        names = [name_of(engine, dose, work, run) for run in range(1, self.runs + 1)]
        return [self.learned(name) for name in names if os.path.exists(os.path.join(self.folder, f"{name}.json"))]

    @functools.cache
    def learned(self, name):
        folder = os.path.join(self.folder, name, "learned")
        shutil.rmtree(folder, ignore_errors=True)
        self.run_program("learn", os.path.join(self.folder, name, "page.json.gz"), "-o", folder, "--quiet")
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as text:
            report = text.read()

        def pair(label):
            cells = re.search(rf"^\| {re.escape(label)} \| ([^|]*) \| ([^|]*) \|$", report, re.M)
            return [float(cell) for cell in cells.groups()] if cells else [0, 0]

        wanted, dropped = pair("vsyncs that wanted a frame"), pair("dropped")
        with open(os.path.join(folder, "page.yaml"), encoding="utf-8") as text:
            scenario = text.read()
        return {"folder": folder, "recorded": percent(dropped[0], wanted[0]), "replayed": percent(dropped[1], wanted[1]),
                "replay": re.search(r"replay: ([a-z-]+)", scenario).group(1),
                "deadline": re.search(r"deadline: (\d)", scenario).group(1),
                "page": read(os.path.join(self.folder, f"{name}.json"))}

    def with_rules(self, row, engine):
        """The dropped share of a run of what was learned, with the rules of an engine."""
        with open(os.path.join(row["folder"], "page.yaml"), encoding="utf-8") as text:
            kept = RULE.sub("", text.read())
        changed = kept.replace("display:\n", "display:\n" + "".join(f"  {rule}\n" for rule in RULES[engine].split(", ")), 1)
        file = os.path.join(row["folder"], f"as-in-{engine}.yaml")
        write(file, changed)
        answer = self.run_program("run", file, "--engine", "virtual", "--strategy", "as-recorded", "--format", "csv", "--quiet")
        figures = next(csv.DictReader(io.StringIO(answer)))
        return percent(float(figures["dropped_frames"]), float(figures["expected_frames"]))

    def run(self):
        # Each is recorded once before any is repeated, so that a temporary disturbance affects all of them.
        wanted = [(engine, dose, work, name_of(engine, dose, work, run)) for run in range(1, self.runs + 1)
                  for work, doses in WORKS.items() for dose in doses for engine in ENGINES if engine == "firefox" or work == "time"]
        missing = [entry for entry in wanted if not read(os.path.join(self.folder, f"{entry[3]}.json"))]
        for place, entry in enumerate(missing):
            print(f"{place + 1} of {len(missing)}: {entry[3]}", file=sys.stderr, flush=True)
            self.record(*entry)
        text = page_text(self)
        write(os.path.join(self.folder, "engines.md"), text)
        print(text)


# The lines of a learned scenario that hold the rules of an engine.
RULE = re.compile(r"^  (?:deadline|buffers|main-loop|frame-time|compositor): .*\n", re.M)


def name_of(engine, dose, work, run):
    return f"{engine}-{dose}-{'time' if engine == 'chromium' else work}-{run}"


def percent(part, whole):
    return 100 * part / max(1, whole)


def spread(values):
    """The median and the range."""
    texts = [f"{value:.1f}" for value in (statistics.median(values), min(values), max(values))]
    return texts[0] if texts[1] == texts[2] else f"{texts[0]} ({texts[1]} to {texts[2]})"


def table(head, rows):
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])


def late_share(row):
    return percent(row["page"]["late"], row["page"]["vsyncs"])


def recordings_table(series):
    rows = []
    for work, doses in WORKS.items():
        for dose in doses:
            for engine in ENGINES if work == "time" else ["firefox"]:
                found = series.rows(engine, dose, work)
                rows.append([
                    dose, engine, work, spread([percent(row["page"]["missed"], row["page"]["vsyncs"]) for row in found]),
                    spread([late_share(row) for row in found]) if engine == "firefox" else "",
                    spread([row["recorded"] for row in found]), spread([row["replayed"] for row in found]),
                    ", ".join(sorted({row["replay"] for row in found})), ", ".join(sorted({row["deadline"] for row in found}))])
    return table(["dose", "engine", "work", "missed by the page's count, %", "late pictures, %", "dropped, %, recorded",
                  "replayed", "replay", "deadline"], rows)


def predictions_table(series):
    rows, near = [], {}
    for work, doses in WORKS.items():
        for dose in doses:
            found = {engine: series.rows(engine, dose, work) for engine in ENGINES}
            for source, target in [ENGINES, ENGINES[::-1]]:
                recorded = [row["recorded"] for row in found[target]]
                plain = [row["replayed"] for row in found[source]]
                ruled = [series.with_rules(row, target) for row in found[source]]
                offs = [statistics.median(values) - statistics.median(recorded) for values in (plain, ruled)]
                near.setdefault((dose == "tasks", work), []).append([abs(off) <= MOST for off in offs])
                late = statistics.median(late_share(row) for row in found[target]) if target == "firefox" else 0
                rows.append([dose, work, source, target, spread(recorded), spread(plain), f"{offs[0]:+.1f}",
                             spread(ruled), f"{offs[1]:+.1f}", f"{offs[1] - late:+.1f}" if target == "firefox" else ""])
    lines = [f"{'each item a task' if tasks else 'a batch is a task'}, same {work}: " + ", ".join(
        f"{sum(pair[place] for pair in pairs)} of {len(pairs)} {what}"
        for place, what in enumerate(["as learned", "with the other engine's rules"]))
        for (tasks, work), pairs in near.items()]
    head = ["dose", "same", "learned from", "predicted for", "dropped, %, recorded", "predicted, as learned", "points",
            "with the other engine's rules", "points", "beyond late pictures"]
    return "\n".join([table(head, rows), "", f"Within {MOST} points: " + "; ".join(lines) + "."])


# What stands before, between and behind the tables.
INTRODUCTION = """\
# One page in Chromium and in Firefox

[A page](../../benchmarks/engines/batches.html) draws in each frame, and a timer runs batches of items of 2.6 ms. The doses differ \
in the timer's period in ms and in the number of items: {doses}. `make browser PAGES=firefox` \
records each in both engines, headless, {runs} times for {seconds} s, and learns from each recording. Chromium is recorded by \
`record chrome`. In Firefox, the profiler runs while the page does, without samples (features `cpu` and `nostacksampling`), \
started and saved by Marionette; clocks have no added noise (`privacy.reduceTimerPrecision`). An item takes 2.6 ms (*time*), or \
has as many rounds of work as take that in Chromium (*rounds*). All figures are medians, with their ranges.{priority}

By hand, from the project's folder; Firefox writes its profile when it quits, not at Ctrl-C:

```sh
framebudget record chrome "file://$PWD/benchmarks/engines/batches.html?every=127&items=14" --headless --for 12s -o chromium
MOZ_PROFILER_STARTUP=1 MOZ_PROFILER_STARTUP_FEATURES=cpu,nostacksampling MOZ_PROFILER_SHUTDOWN=page.json \\
  firefox "file://$PWD/benchmarks/engines/batches.html?every=127&items=14"
framebudget learn page.json -o firefox
framebudget run chromium/page.yaml --engine virtual --strategy as-recorded
```

A recorded dropped frame should be a vsync without an animation frame, which the page counts itself. *Late pictures* are explained \
below."""
BETWEEN = """\
## From one engine to the other

A scenario has the rules of the engine in which it was recorded. *As learned* is its run as it is; the other prediction is its run \
with the [preset](../../Documentation/MainLoops.md#firefox) of the engine that it is compared with, and the median of its second \
stage (`RULES` in series.py)."""
BEHIND = """\
What the engines differ in:

- **The screen.** While its main thread is busy, Chromium gives a frame two periods (`deadline: 2`), and starts the next one \
meanwhile; Firefox gives it one. So the same batches drop more frames in Firefox, and no scenario predicts the other engine \
without a change of these keys.
- **The order.** In Firefox a vsync has a priority of its own, so a frame goes before waiting tasks, which then get as much time \
as they had before it (`VsyncRefreshDriverTimer`). In Chromium frames and messages are one queue. If each item is a task \
(*tasks*), Firefox drops next to nothing.
- **When work was posted** is in Chromium's recordings, and not in Firefox's profiles: there an item arrives when it begins. So \
the batch of *tasks* as Firefox recorded it is no queue in Chromium either, whatever the rules.
- **Late pictures.** What Firefox has built up to 4 ms behind a vsync, it still draws for that \
(`gfx.webrender.late-scenebuild-threshold`). The reader knows this; the simulation does not, and predicts more dropped frames in \
Firefox by about as many. The first table has their number, and the last column of the second one what remains without them.
- **Unknown**: with Chromium's rules, what was learned in Firefox drops too few frames if batches are long.
- **The compiler.** The same rounds take {ratio:.2f} times as long in Firefox as in Chromium.

Held back: the rule of late pictures was found in an earlier series of other doses, which is not in these tables; nothing was \
fitted to these recordings. The medians of `RULES` were read from learned scenarios of that series."""


def page_text(series):
    priority = (" Other processes ran meanwhile, but could not interrupt (`chrt --fifo`)."
                if os.sched_getscheduler(0) == os.SCHED_FIFO else "")
    introduction = INTRODUCTION.format(
        runs=series.runs, seconds=series.seconds, priority=priority,
        doses=", ".join(f"*{name}* `{query}`" for name, query in DOSES.items()))
    behind = BEHIND.format(ratio=series.speeds["chromium"] / series.speeds["firefox"])
    return "\n\n".join([introduction, recordings_table(series), BETWEEN, predictions_table(series), behind]) + "\n"


if __name__ == "__main__":
    measuring.perform(lambda *words: Series(*words).run(), __doc__)
