"""Records page.html in a headless browser: each of the variants in a file, several times.

usage: record.py FOLDER VARIANTS SECONDS RUNS

FOLDER gets VARIANT-RUN.json.gz for each line `VARIANT [QUERY]` of the file VARIANTS. What is there already stays, so that a
series which was interrupted goes on where it was.
"""
import json
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "Tests", "EndToEnd"))

import browser  # noqa: E402

PAGE = os.path.join(HERE, "page.html")

# What Documentation/Recordings.md says to record.
CATEGORIES = [
    "toplevel", "toplevel.flow", "blink.user_timing", "devtools.timeline",
    "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame", "__metadata",
]

# A page in the background has slower timers. And V8's middle compiler takes over what calls `draw` after some 500 frames,
# from when on that takes ten times as long: one recording would be of two pages.
OPTIONS = [
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--js-flags=--no-maglev",
]

# What one call takes where nothing else runs, in ms. Beside a browser that draws it takes up to twice that, and the main
# thread is to bear it.
LENGTHS = {"draw": 2, "hash": 3.5, "thumbnail": 4, "catalogue": 7}

# Until timers and frames have come to rest, in s.
SETTLING = 1

# How often a recording is tried.
TRIES = 3


def variants(file):
    """Names and queries."""
    with open(file, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return [(row[0], row[1] if len(row) > 1 else "") for row in rows]


def series(folder, seconds, queries):
    """How much a call does in all recordings of a folder: measured before the first of them."""
    file = os.path.join(folder, "series.json")
    known = {"seconds": seconds, "rounds": "", "queries": {}}
    if os.path.exists(file):
        with open(file, encoding="utf-8") as text:
            known = json.load(text)
    if known["seconds"] != seconds:
        sys.exit(f"{folder} holds recordings of {known['seconds']} s; take another folder, or remove it")
    for name, query in queries:
        if known["queries"].setdefault(name, query) != query:
            sys.exit(f"{folder} holds recordings of {name} as {known['queries'][name]!r}, which now is {query!r}; "
                     "take another folder, or remove it")
    if not known["rounds"]:
        os.makedirs(folder, exist_ok=True)
        with browser.Browser(*OPTIONS) as page:
            page.open(PAGE)
            speeds = page.run("warmUp(), measured()")
        known["rounds"] = ",".join(
            f"{name}:{round(speeds[name] * length)}" for name, length in LENGTHS.items())
    write(file, lambda new: write_text(new, json.dumps(known)))
    return known["rounds"]


def write_text(file, text):
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def write(file, make):
    """A file that is there as a whole or not at all."""
    new = f"{file}.new"
    try:
        make(new)
        os.replace(new, file)
    finally:
        if os.path.exists(new):
            os.remove(new)


def record(file, query, rounds, seconds):
    with browser.Browser(*OPTIONS) as page:
        page.call("Page.bringToFront")
        page.open(PAGE, "&".join(filter(None, [query, f"rounds={rounds}"])), width=640, height=360)
        page.run("begin()")
        page.leave(SETTLING)
        write(file, lambda new: whole(new, page, seconds))


def whole(file, page, seconds):
    # While the page is busy the browser takes a minute to hand the trace over.
    page.record(file, seconds, CATEGORIES, then="end(), window.report?.()")
    assert not page.messages, page.messages


def record_patiently(file, *what):
    """As `record`; a browser that failed once is no reason to end a series of a quarter of an hour."""
    for left in reversed(range(TRIES)):
        try:
            return record(file, *what)
        except (AssertionError, OSError) as problem:
            if not left:
                sys.exit(f"{file}: {problem}; the same command goes on from there")
            print(f"{problem}: once more", file=sys.stderr, flush=True)


def main(folder, file, seconds, runs):
    seconds, runs = int(seconds), int(runs)
    if not browser.path():
        sys.exit("needs a browser (Debian: chromium)")
    queries = variants(file)
    rounds = series(folder, seconds, queries)
    # Each variant once before any comes twice: what disturbs a while disturbs all of them.
    wanted = [(os.path.join(folder, f"{name}-{run}.json.gz"), name, query, run)
              for run in range(1, runs + 1) for name, query in queries]
    missing = [row for row in wanted if not os.path.exists(row[0])]
    for place, (path, name, query, run) in enumerate(missing):
        # Starting the browser and writing the file take some seconds, too.
        left = (len(missing) - place) * (seconds + 6)
        print(f"{place + 1} of {len(missing)}: {name}, recording {run} of {runs}; about {left // 60} min "
              f"{left % 60} s left", file=sys.stderr, flush=True)
        record_patiently(path, query, rounds, seconds)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    # Else the browser would outlive it; what a script starts in its background ignores Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        print("interrupted; what is recorded stays, and the same command goes on from there", file=sys.stderr)
        sys.exit(130)
