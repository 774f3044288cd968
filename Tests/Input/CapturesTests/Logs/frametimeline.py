"""Jank types and overruns of a Perfetto trace by process, counted without the project's code.

Usage: frametimeline.py TRACE. One line per process that has ended frames, by its number: the count of each jank type that
occurs as NAME=COUNT, in the order of their bits, and the percentiles 50, 90, 95, 99 of the overruns in ms.
"""
import sys
import zlib

NAMES = {
    2: "surfaceflinger_scheduling", 4: "prediction_error", 8: "display_hal", 16: "surfaceflinger_cpu_deadline_missed",
    32: "surfaceflinger_gpu_deadline_missed", 64: "app_deadline_missed", 128: "buffer_stuffing", 256: "unknown_jank",
    512: "surfaceflinger_stuffing", 1024: "dropped_frame", 2048: "non_animating", 4096: "app_resynced_jitter",
    8192: "display_not_on", 16384: "display_mode_change_in_progress", 32768: "display_power_mode_change_in_progress",
}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def packets(trace):
    for field, packet in fields(trace):
        if field != 1:
            continue
        parts = dict(fields(packet))
        if 50 in parts:
            yield from packets(zlib.decompress(parts[50]))
        elif 76 in parts:
            kind, event = next(fields(parts[76]))
            yield kind, dict(fields(event)), parts[8]


def percentile(values, share):
    place = (len(values) - 1) * share
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def main(path):
    with open(path, "rb") as file:
        trace = file.read()
    janks, ends, due, actual, opened = {}, {}, {}, [], {}
    for kind, event, at in packets(trace):
        if kind == 5:
            opened.pop(event[1], lambda at: None)(at)
        key = (event.get(4), event.get(2))
        if kind == 3:
            opened[event[1]] = lambda at, key=key: due.__setitem__(key, at)
        elif kind == 4:
            janks.setdefault(key[0], []).append(event.get(9, 0))
            actual.append(key)
            opened[event[1]] = lambda at, place=len(actual) - 1: ends.__setitem__(place, at)
    for process in sorted(janks):
        mine = [(place, key) for place, key in enumerate(actual) if key[0] == process and place in ends]
        if not mine:
            continue
        counts = {"unspecified": janks[process].count(0), "none": janks[process].count(1)}
        counts.update((name, sum(bool(jank & bit) for jank in janks[process])) for bit, name in NAMES.items())
        overruns = sorted((ends[place] - due[key]) / 1e6 for place, key in mine if key in due)
        shares = [f"{percentile(overruns, share):.5f}" for share in (0.5, 0.9, 0.95, 0.99)] if overruns else []
        print(*[f"{name}={count}" for name, count in counts.items() if count], *shares)


main(sys.argv[1])
