"""Totals of a PresentMon log by process and swap chain, counted without the project's code.

Usage: totals.py LOG HZ. One line per stream: process, rows, superseded, display changes, expected, dropped,
median and longest frame time in ms.
"""
import csv
import math
import statistics
import sys


def number(text):
    return None if text in ("", "NA") else float(text)


def main(path, hz):
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    streams = {}
    for row in rows:
        row = {name.lower(): value for name, value in row.items()}
        key = f"{row['application']} {row['processid']} {row['swapchainaddress']}"
        streams.setdefault(key, []).append(row)
    for key, rows in streams.items():
        frame_column = "msbetweenpresents" if "msbetweenpresents" in rows[0] else "frametime"
        display_column = (
            "msbetweendisplaychange" if "msbetweendisplaychange" in rows[0] else "displayedtime"
        )
        latency_column = "msuntildisplayed" if "msuntildisplayed" in rows[0] else "displaylatency"
        frames = [value for row in rows if (value := number(row[frame_column])) and value > 0]
        shown = [
            number(row[display_column])
            for row in rows
            if (row["dropped"] == "0" if "dropped" in row else row[latency_column] != "NA")
        ]
        if display_column == "msbetweendisplaychange":
            # It looks back: the first image has none before it in the log.
            shown_before = shown[1:]
        else:
            shown_before = shown
        vsyncs = [math.floor(value * hz / 1000 + 0.5) for value in shown_before if value]
        expected = sum(vsyncs)
        dropped = sum(count - 1 for count in vsyncs if count > 0)
        tearing = sum(row["allowstearing"] == "1" for row in rows)
        at, off = 0.0, []
        for value in shown_before:
            at += (value or 0) * hz / 1000
            off.append(abs(at - round(at)))
        if 2 * tearing > len(rows) and sum(off) > 0.15 * len(off):
            # Images that tear do not appear at a vsync: they do not count.
            expected = dropped = 0
        print(
            key, len(rows), len(rows) - len(shown), len(shown), expected, dropped,
            f"{statistics.median(frames):.6f}", f"{max(frames):.6f}", sep="\t",
        )


main(sys.argv[1], float(sys.argv[2]))
