"""Compares the reports of pages about themselves (reporter.js) with framebudget's results for their recordings.

usage: figures.py FRAMEBUDGET RECORDING...

INP is to be within 8 ms, its resolution, and its parts within 8 ms of those of an interaction of that length; long animation
frames and long tasks the same in number within 2 %, or within the number of those that took 46 to 54 ms, since the page's clock
and the recording's start and stop at slightly different places; and the blocking duration of frames within 1 ms for each of them,
because a recording has it in whole milliseconds. Exit status 1 if anything is not.
"""
import csv
import gzip
import io
import json
import subprocess
import sys

MARK = "page report"

# In ms, the least length of a long task or frame, and how far beside it either clock may see one: a slice of the scheduler.
LIMIT, BESIDE = 50, 4


def events(recording):
    with gzip.open(recording, "rt", encoding="utf-8") as text:
        return json.load(text)["traceEvents"]


def beside_limit(durations):
    """How many of `durations`, in us, may be on either side of the limit."""
    return sum(abs(duration / 1000 - LIMIT) <= BESIDE for duration in durations)


def task_durations(found, mark):
    """Of the tasks on the thread of `mark`; a task of a nested loop is one of its own."""
    return [event["dur"] for event in found if event["name"] == "ThreadControllerImpl::RunTask" and event["ph"] == "X"
            and (event["pid"], event["tid"]) == (mark["pid"], mark["tid"])]


def frame_durations(found, mark):
    """Of the animation frames of the process of `mark`."""
    begins, durations = {}, []
    for event in sorted((event for event in found if event["name"] == "AnimationFrame" and event["pid"] == mark["pid"]),
                        key=lambda event: event["ts"]):
        identity = json.dumps(event.get("id2", event.get("id")))
        if event["ph"] == "b":
            begins[identity] = event["ts"]
        elif event["ph"] == "e" and identity in begins:
            durations.append(event["ts"] - begins.pop(identity))
    return durations


def reported(recording):
    """The page's report on the recorded time; None without its mark."""
    found = events(recording)
    mark = next((event for event in found if event["name"] == MARK), None)
    if mark is None:
        return None
    data = mark["args"]["data"]
    report = json.loads(data["detail"])
    # The page's clock: the mark gives the same instant in the recording's clock.
    begin = min(event["ts"] for event in found if event["name"] == "AnimationFrame" and event["ph"] == "b"
                and event["pid"] == mark["pid"])
    begin = data["startTime"] - (mark["ts"] - begin) / 1000
    frames = [frame for frame in report["frames"] if frame[0] >= begin - 0.1]
    return {
        **(report["interactions"] or {}), "frames": len(frames), "blocking": sum(frame[2] for frame in frames),
        "tasks": sum(task[0] >= begin - 0.1 for task in report["tasks"]), "pid": mark["pid"],
        "frames beside": beside_limit(frame_durations(found, mark)),
        "tasks beside": beside_limit(task_durations(found, mark)),
    }


def read(program, recording):
    """The row with framebudget's numbers of the page."""
    text = subprocess.run([program, "import", recording, "--format", "csv", "--quiet"], check=True,
                          capture_output=True, text=True).stdout
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["long_animation_frames"]]
    # A browser's own pages also have frames, but no long ones.
    return max(rows, key=lambda row: float(row["long_animation_frame_ms"]))


def differences(theirs, ours):
    """Rows of name, their value, our value, and whether they are close enough."""
    def row(name, their, column, slack):
        our = float(ours[column] or 0)
        return name, their, our, abs(our - their) <= slack

    def counted(what):
        return max(1, 0.02 * theirs[what], theirs[f"{what} beside"])

    rows = [
        row("long animation frames", theirs["frames"], "long_animation_frames", counted("frames")),
        row("their blocking duration, ms", theirs["blocking"], "long_animation_frame_blocking_ms", theirs["frames"]),
        row("long tasks", theirs["tasks"], "main_long_tasks", counted("tasks")),
    ]
    if "inp" in theirs:
        rows.append(row("INP, ms", theirs["inp"], "inp_ms", 8))
        parts = [[
            row("input delay, ms", candidate["inputDelay"], "inp_input_delay_ms", 8),
            row("processing, ms", candidate["processing"], "inp_processing_ms", 8),
            row("presentation delay, ms", candidate["presentation"], "inp_presentation_ms", 8),
        ] for candidate in theirs["candidates"]]
        rows += max(parts, key=lambda rows: sum(near for *_, near in rows))
    return rows


def main(program, recordings):
    is_near = True
    for recording in recordings:
        theirs = reported(recording)
        if theirs is None:
            print(f"{recording}: the page reports nothing of itself")
            continue
        for name, their, our, near in differences(theirs, read(program, recording)):
            print(f"{recording}: {name}: page {their:.1f}, framebudget {our:.1f}" + ("" if near else " (too far)"))
            is_near = is_near and near
    return 0 if is_near else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
