"""Measures the processor time that a watched program loses to the probes of `live --attach`.

usage: overhead.py FRAMEBUDGET FOLDER SECONDS PAIRS

Needs root, tracefs with uprobes and Weston. Each of PROGRAMS is watched once. While it draws, its probes are removed and set again
each SECONDS, and PAIRS pairs of neighbours are compared: by the processor time of all threads of the program. FOLDER gets
overhead.md, the table.
"""
import contextlib
import os
import pty
import shutil
import statistics
import subprocess
import sys
import threading
import time

from moved import PROGRAM, PYTHON, compositor, started

# moved has told where it is.
import measuring

# By name: the command, and what it does. Each does the same in every stretch of a second.
PROGRAMS = {
    "items.py": ([PYTHON, "-B", PROGRAM, "main", "10", "1", "64", "0"], "GTK 4, with an item of work each 10 ms"),
    "spinner": (["gtk4-demo", "--run=spinner"], "GTK 4, a small animation of `gtk4-demo`"),
    "weston-simple-shm": (["weston-simple-shm"], "a client that paints 250 × 250 pixels, and does nothing else"),
}
TRACES = "/sys/kernel/tracing"
PATIENCE = 20


def clock_of(process):
    """The clock of the processor time of all threads of a process, those that ended too (`clock_getcpuclockid`)."""
    return ~process << 3 | 2


@contextlib.contextmanager
def view(framebudget, environment, process):
    """The live view of a process, in a terminal that is read; gives the view's process."""
    side, terminal = pty.openpty()
    os.set_inheritable(terminal, True)

    def read():
        with contextlib.suppress(OSError):
            while os.read(side, 1 << 16):
                pass
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    command = [framebudget, "live", "--attach", str(process)]
    environment = {**environment, "TERM": "xterm-256color", "LINES": "45", "COLUMNS": "140"}
    with started(command, environment, stdout=terminal, stderr=terminal) as running:
        os.close(terminal)
        yield running.pid
        running.terminate()
        if running.wait(10) not in (0, -15, 143):
            sys.exit(f"live --attach {process}: exit status {running.returncode}")
    reader.join(10)
    os.close(side)


def stretch(seconds, *clocks):
    """The processor time of each clock in the next seconds, in per cent of a core."""
    def read():
        return [time.clock_gettime_ns(clock) for clock in (time.CLOCK_MONOTONIC, *clocks)]
    before = read()
    time.sleep(seconds)
    elapsed, *used = (after - before for before, after in zip(before, read()))
    return [100 * value / elapsed for value in used]


class Probes:
    """Those of a view: the events of its own trace."""

    def __init__(self, viewer):
        end = time.monotonic() + PATIENCE
        instance = f"{TRACES}/instances/framebudget-{viewer}"
        self.files = [f"{instance}/events/{name}/enable" for name in (f"framebudget_{viewer}", "sched/sched_switch", "sched/sched_waking")]
        # The last that the view enables.
        while not (os.path.exists(self.files[-1]) and self.read(self.files[-1]) == "1"):
            if time.monotonic() > end:
                sys.exit("the view sets no probes")
            time.sleep(0.1)

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read().strip("*\n")

    def enable(self, value):
        for path in self.files:
            with open(path, "w", encoding="utf-8") as file:
                file.write(value)


def measured(framebudget, environment, command, seconds, pairs):
    """For each pair: the program's share of a core without its probes, with them, and the view's then."""
    environment = {**environment, "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo"}
    rows = []
    with started(command, environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        time.sleep(3)
        clock = clock_of(program.pid)
        with view(framebudget, environment, program.pid) as viewer:
            probes = Probes(viewer)
            time.sleep(1)
            for pair in range(pairs):
                row = {}
                # Each comes first in every second pair, so a program that slows down favours neither.
                for value in ("01" if pair % 2 == 0 else "10"):
                    probes.enable(value)
                    row[value], seen = stretch(seconds, clock, clock_of(viewer))
                    if value == "1":
                        row["view"] = seen
                if program.poll() is not None:
                    sys.exit(f"{command[0]} has ended")
                rows.append(row)
            probes.enable("1")
    return rows


def interval(values):
    """Of the median: the order statistics that contain it with 95 % at least."""
    values, count = sorted(values), len(values)
    rank, probability, term = 0, 0.0, 0.5 ** count
    while probability + term <= 0.025 and rank < count // 2:
        probability += term
        term *= (count - rank) / (rank + 1)
        rank += 1
    return values[max(0, rank - 1)], values[min(count - 1, count - rank)]


def main(framebudget, folder, seconds, pairs):
    framebudget, seconds, pairs = os.path.abspath(framebudget), float(seconds), int(pairs)
    os.makedirs(folder, exist_ok=True)
    lines = []
    with compositor(os.path.join(os.path.abspath(folder), "screen")) as environment:
        for name, (command, what) in PROGRAMS.items():
            if not shutil.which(command[0]):
                sys.exit(f"{command[0]} is not installed")
            print(name, file=sys.stderr, flush=True)
            rows = measured(framebudget, environment, command, seconds, pairs)
            before, seen = (statistics.median(row[key] for row in rows) for key in ("0", "view"))
            costs = [row["1"] - row["0"] for row in rows]
            cost, *ends = (100 * value / before for value in (statistics.median(costs), *interval(costs)))
            low, high = ends
            # Of 60 frames a second, and a share of a core.
            frame = before * cost / 100 * 1e4 / 60
            lines.append(f"| {name} | {what} | {before:.1f} | {cost:+.1f} ({low:+.1f} to {high:+.1f}) | {frame:.0f} | {seen:.1f} |")
    text = PAGE.format(rows="\n".join(lines), seconds=seconds, pairs=pairs)
    with open(os.path.join(folder, "overhead.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text)


PAGE = """\
# What the probes of `live --attach` cost

Programs draw 60 frames a second on Weston without a screen, and are watched. Each {seconds:g} s their probes are removed, or set \
again. The cost is the median difference of {pairs} pairs of neighbours, with the range that contains the median with 95 %, in % of \
the program's processor time; then as µs of a frame. The view's own process takes its time elsewhere. Made by `make windows`.

| program | what it is | its processor time, % of a core | the probes, % of that | µs of a frame | the view, % of a core |
| --- | --- | --- | --- | --- | --- |
{rows}
"""


if __name__ == "__main__":
    measuring.perform(main, __doc__, kept="nothing was measured to its end")
