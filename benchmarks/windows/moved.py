"""Records a GTK program that works on its main loop, predicts it with the work on a thread, and records that.

usage: moved.py FRAMEBUDGET FOLDER SECONDS RUNS

Needs root, tracefs with uprobes and Weston. Each of DOSES is recorded RUNS times, on the main loop and on a thread. FOLDER gets
the recordings, what is learned from them, and moved.md, the table. Existing recordings are kept and learned from again, so an
interrupted series can be continued.
"""
import contextlib
import csv
import io
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

import measuring  # noqa: E402

PROGRAM = os.path.join(HERE, "items.py")
# The interpreter that Debian's packages are for.
PYTHON = "/usr/bin/python3"
# The function of the program's work, and the strategy of a learned scenario with it on a thread; names there have no last digits.
FUNCTION, MOVED = "compress2", "move-compress"
# By name: the timer's period in ms, the items of a batch, their KiB, and the MiB of what stays on the main loop.
DOSES = {
    "none": (94, 1, 64, 0),
    "low": (306, 8, 64, 0),
    "middle": (127, 9, 64, 0),
    "high": (127, 14, 64, 0),
    "long": (1013, 54, 64, 0),
    "part": (311, 6, 64, 72),
    "half": (509, 14, 64, 160),
}
PLACES = ["main", "thread"]
PATIENCE = 60
# By how many points a prediction may be off.
MOST = 2


def first():
    """Other processes cannot interrupt this one, if the machine permits that."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))


@contextlib.contextmanager
def started(command, environment, **options):
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, preexec_fn=first, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


@contextlib.contextmanager
def compositor(folder):
    """A screen of 60 Hz in memory; gives the environment of its clients."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with open(os.path.join(folder, "weston.ini"), "w", encoding="utf-8") as file:
        file.write("[core]\nrepaint-window=16\nidle-time=0\n")
    environment = {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "wayland-0"}
    for name in ("wayland-0", "wayland-0.lock"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(folder, name))
    command = ["weston", "--backend=headless-backend.so", "--socket=wayland-0", "-c", os.path.join(folder, "weston.ini")]
    with started(command, environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        end = time.monotonic() + PATIENCE
        while not os.path.exists(os.path.join(folder, "wayland-0")):
            if time.monotonic() > end:
                sys.exit("weston does not start")
            time.sleep(0.05)
        yield environment


@contextlib.contextmanager
def drawing(environment, place, dose):
    """The program, once it draws."""
    command = [PYTHON, "-B", PROGRAM, place, *map(str, dose)]
    environment = {**environment, "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo"}
    with started(command, environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        if process.stdout.readline() != "draws\n":
            sys.exit(f"{PROGRAM} has ended; it needs python3-gi and gir1.2-gtk-4.0")
        yield process.pid


def record(framebudget, environment, place, dose, seconds, folder):
    """Records the program into a new folder, with all that is learned from it."""
    with drawing(environment, place, dose) as process:
        run = subprocess.run(
            [framebudget, "record", "window", str(process), "--function", FUNCTION, "--for", f"{seconds}s", "--quiet",
             "-o", folder], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if run.returncode not in (0, 1, 2):
        raise OSError(f"record: exit status {run.returncode}: {run.stderr.strip()}")


def is_available():
    """Whether the program's toolkit is installed."""
    toolkit = "import gi; gi.require_version('Gtk', '4.0')"
    try:
        return subprocess.run([PYTHON, "-c", toolkit], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def percent(count, total):
    return 100 * float(count) / float(total) if float(total) else 0.0


def learned(framebudget, folder):
    """The dropped frames of a recording's folder: recorded and replayed, in per cent, and how good the replay is."""
    recording, folder = os.path.join(folder, "recording.ftrace"), os.path.join(folder, "learned")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([framebudget, "learn", recording, "-o", folder, "--quiet"], capture_output=True, check=False)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as text:
        report = text.read()

    def pair(label):
        cells = re.search(rf"^\| {re.escape(label)} \| ([^|]*) \| ([^|]*) \|$", report, re.M)
        return cells.groups() if cells else ("0", "0")

    wanted, dropped = pair("vsyncs that wanted a frame"), pair("dropped")
    with open(os.path.join(folder, "recording.yaml"), encoding="utf-8") as text:
        replay = re.search(r"replay: ([a-z-]+)", text.read()).group(1)
    return {"recorded": percent(dropped[0], wanted[0]), "replayed": percent(dropped[1], wanted[1]), "replay": replay}


def predicted(framebudget, folder):
    """The dropped frames of what was learned, with the work on a thread, in per cent."""
    run = subprocess.run(
        [framebudget, "run", os.path.join(folder, "learned", "recording.yaml"), "--engine", "virtual", "--strategy", MOVED,
         "--format", "csv", "--quiet"], capture_output=True, text=True, check=True)
    figures = next(csv.DictReader(io.StringIO(run.stdout)))
    return percent(figures["dropped_frames"], figures["expected_frames"])


def text_of(values):
    values = [round(value, 1) for value in values]
    middle = f"{statistics.median(values):.1f}"
    return middle if min(values) == max(values) else f"{middle} ({min(values):.1f} to {max(values):.1f})"


class Series:
    def __init__(self, framebudget, folder, seconds, runs):
        self.framebudget, self.folder, self.seconds, self.runs = framebudget, os.path.abspath(folder), int(seconds), int(runs)

    def place(self, dose, place, run):
        return os.path.join(self.folder, f"{dose}-{place}-{run}")

    def run(self):
        os.makedirs(self.folder, exist_ok=True)
        # Each is recorded once before any is repeated, so that a temporary disturbance affects all of them.
        missing = [entry for run in range(1, self.runs + 1) for dose in DOSES for place in PLACES
                   if not os.path.exists(self.place(*(entry := (dose, place, run))))]
        with compositor(os.path.join(self.folder, "screen")) as environment:
            for number, (dose, place, run) in enumerate(missing):
                print(f"{number + 1} of {len(missing)}: {dose} {place} {run}", file=sys.stderr, flush=True)
                new = os.path.join(self.folder, "new")
                shutil.rmtree(new, ignore_errors=True)
                record(self.framebudget, environment, place, DOSES[dose], self.seconds, new)
                os.rename(new, self.place(dose, place, run))
        text = self.text()
        with open(os.path.join(self.folder, "moved.md"), "w", encoding="utf-8") as file:
            file.write(text)
        print(text)

    def text(self):
        lines, near, all_ = [], 0, 0
        for dose, (every, items, size, rest) in DOSES.items():
            main, thread = ([self.place(dose, place, run) for run in range(1, self.runs + 1)] for place in PLACES)
            before, after = ([learned(self.framebudget, folder) for folder in folders] for folders in (main, thread))
            told = [predicted(self.framebudget, folder) for folder in main]
            seen = [row["recorded"] for row in after]
            off = statistics.median(told) - statistics.median(seen)
            near, all_ = near + (abs(off) <= MOST), all_ + 1
            cells = [
                dose, f"{items} × {size} KiB each {every} ms" + f", {rest} MiB" * (rest > 0), text_of([row["recorded"] for row in before]),
                text_of([row["replayed"] for row in before]), ", ".join(sorted({row["replay"] for row in before})),
                text_of(told), text_of(seen), f"{off:+.1f}"]
            lines.append(f"| {' | '.join(cells)} |")
        return PAGE.format(rows="\n".join(lines), near=near, all=all_, seconds=self.seconds, runs=self.runs, most=MOST)


PAGE = """\
# Work of a GTK program, moved to a thread

[A program](../../benchmarks/windows/items.py) of GTK 4 animates a window on Weston without a screen, and a timer brings \
batches of items to compress. A checksum of some MiB, if the table says so, follows on the main loop, and stays there. \
`make windows` records it {runs} times for {seconds} s with the work on the main loop \
(`record window PID --function compress2`), learns a scenario, and runs that with the work on a thread (`{moved}`). \
Then it records the program that works on a thread. Shares are of the vsyncs that wanted a frame, in %: medians, with their \
ranges. Other processes ran meanwhile, but could not interrupt the program and the compositor (`SCHED_FIFO`). No number was fitted; that \
this compositor's vsyncs begin anew behind late frames was found in a recording of *middle*.

| dose | work | dropped on the main loop | replayed | replay | predicted on a thread | recorded on a thread | points |
| --- | --- | --- | --- | --- | --- | --- | --- |
{rows}

Within {most} points: {near} of {all}.
""".replace("{moved}", MOVED)


if __name__ == "__main__":
    measuring.perform(lambda *words: Series(*words).run(), __doc__)
