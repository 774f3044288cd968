"""Records the pages beside this file in a headless browser: each of their variants, several times.

usage: record.py FOLDER VARIANTS SECONDS RUNS

FOLDER gets PAGE-VARIANT-RUN.json.gz for each line `PAGE VARIANT [QUERY]` of the file VARIANTS, and, of pages that answer,
PAGE-VARIANT-RUN.answers with the time in ms within which 98 % of the answers arrived, as measured by the page. Existing
files are kept, so an interrupted series can be continued.
"""
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "Tests", "EndToEnd")]

import browser  # noqa: E402
import measuring  # noqa: E402

# The settings that Documentation/Recordings.md recommends.
CATEGORIES = [
    "toplevel", "toplevel.flow", "blink.user_timing", "devtools.timeline",
    "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame", "__metadata",
]

# A page in the background has slower timers. V8's middle compiler compiles the callers of `draw` after some 500 frames,
# and from then on drawing takes ten times as long: a recording would mix two different costs.
OPTIONS = [
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--js-flags=--no-maglev",
]

# The time of one call on an idle machine in ms, by page. While the browser draws, a call takes up to twice as long, which
# the main thread must be able to handle.
LENGTHS = {
    "photos": {"draw": 2, "hash": 3.5, "thumbnail": 4, "catalogue": 7},
    "editor": {"draw": 2, "highlight": 4, "spelling": 5, "saving": 6},
    "chat": {"draw": 2, "parse": 4, "decode": 4, "index": 6},
    "game": {"draw": 3, "paths": 5, "world": 6},
    "dashboard": {"draw": 1, "totals": 4, "sorting": 4, "formatting": 6},
    # Budgets in parts.js assume these lengths.
    "rows": {"draw": 4, "bind": 2},
    "map": {"draw": 3, "bind": 7},
}

# The period of key presses in s, on pages that handle keys: no multiple of a frame's period.
TYPED = {"editor": 0.143}

# The time until timers and frames are idle, in s.
SETTLING = 1

# The number of attempts per recording.
TRIES = 3


def variants(file):
    """Pages, names and queries."""
    with open(file, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return [(row[0], row[1], row[2] if len(row) > 2 else "") for row in rows]


def page_file(page):
    return os.path.join(HERE, f"{page}.html")


def series(folder, seconds, rows):
    """The rounds of each call in all recordings of a folder, by page, measured before the first recording."""
    file = os.path.join(folder, "series.json")
    known = {"seconds": seconds, "rounds": {}, "queries": {}}
    if os.path.exists(file):
        with open(file, encoding="utf-8") as text:
            known = json.load(text)
    if known["seconds"] != seconds:
        sys.exit(f"{folder} holds recordings of {known['seconds']} s; take another folder, or remove it")
    for page, name, query in rows:
        if known["queries"].setdefault(f"{page}-{name}", query) != query:
            sys.exit(f"{folder} holds recordings of {page} {name} as {known['queries'][f'{page}-{name}']!r}, which now is "
                     f"{query!r}; take another folder, or remove it")
    os.makedirs(folder, exist_ok=True)
    for page in dict.fromkeys(row[0] for row in rows):
        if page in known["rounds"]:
            continue
        with browser.Browser(*OPTIONS) as tab:
            tab.open(page_file(page))
            speeds = tab.run("warmUp(), measured()")
        known["rounds"][page] = ",".join(
            f"{name}:{max(1, round(speeds[name] * length))}" for name, length in LENGTHS[page].items())
    write(file, lambda new: write_text(new, json.dumps(known)))
    return known["rounds"]


def write_text(file, text):
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def write(file, make):
    """Writes a file completely or not at all."""
    new = f"{file}.new"
    try:
        make(new)
        os.replace(new, file)
    finally:
        if os.path.exists(new):
            os.remove(new)


def record(file, page, query, rounds, seconds):
    with browser.Browser(*OPTIONS) as tab:
        tab.call("Page.bringToFront")
        tab.open(page_file(page), "&".join(filter(None, [query, f"rounds={rounds}"])), width=640, height=360)
        tab.run("begin()")
        meanwhile = typing(tab, TYPED[page]) if page in TYPED else tab.leave
        meanwhile(SETTLING)
        tab.run("reporter.answers = []")
        write(file, lambda new: whole(new, tab, seconds, meanwhile))


def typing(tab, pause):
    """A script that presses a key repeatedly for some seconds."""
    def press(seconds):
        end = time.monotonic() + seconds
        due = time.monotonic()
        while due < end:
            tab.leave(max(0, due - time.monotonic()))
            for kind in ("keyDown", "keyUp"):
                tab.call("Input.dispatchKeyEvent", type=kind, key="e", text="e" if kind == "keyDown" else "")
            due = max(due + pause, time.monotonic())
        tab.leave(max(0, end - time.monotonic()))
    return press


def whole(file, tab, seconds, meanwhile):
    # While the page is busy, the browser takes a minute to send the trace.
    tab.record(file, seconds, CATEGORIES, then="end(), window.report?.()", meanwhile=meanwhile)
    assert not tab.messages, tab.messages
    if not tab.run("work.length"):
        return
    answers = sorted(tab.run("reporter.answers"))
    assert answers, "the page has answered nothing"
    place = 0.98 * (len(answers) - 1)
    low = int(place)
    high = min(low + 1, len(answers) - 1)
    p98 = answers[low] + (place - low) * (answers[high] - answers[low])
    write(answers_file(file), lambda new: write_text(new, f"{p98:.3f}\n"))


def answers_file(recording):
    """Also while another recording is still being written."""
    return recording.removesuffix(".new").removesuffix(".json.gz") + ".answers"


def record_patiently(file, *what):
    """Like `record`, with retries: a single failure of the browser must not end a series of 15 minutes."""
    for left in reversed(range(TRIES)):
        try:
            return record(file, *what)
        except (AssertionError, OSError) as problem:
            if not left:
                sys.exit(f"{file}: {problem}; repeat the command to continue")
            print(f"{problem}: once more", file=sys.stderr, flush=True)


def main(folder, file, seconds, runs):
    seconds, runs = int(seconds), int(runs)
    if not browser.path():
        sys.exit("needs a browser (Debian: chromium)")
    rows = variants(file)
    rounds = series(folder, seconds, rows)
    # Records each variant once before any is repeated, so that a temporary disturbance affects all of them.
    wanted = [(os.path.join(folder, f"{page}-{name}-{run}.json.gz"), page, name, query, run)
              for run in range(1, runs + 1) for page, name, query in rows]
    missing = [row for row in wanted if not os.path.exists(row[0])]
    begun = time.monotonic()
    for place, (path, page, name, query, run) in enumerate(missing):
        # Starting the browser and writing the file take some seconds too.
        each = (time.monotonic() - begun) / place if place else seconds + 6
        left = round((len(missing) - place) * each)
        print(f"{place + 1} of {len(missing)}: {page} {name}, recording {run} of {runs}; about {left // 60} min "
              f"{left % 60} s left", file=sys.stderr, flush=True)
        record_patiently(path, page, query, rounds[page], seconds)


if __name__ == "__main__":
    measuring.perform(main, __doc__)
