"""What PresentMon's capture application and CapFrameX print for a PresentMon log, worked out without the project's code.

Usage: games.py LOG. One line per stream: PresentMon's average, minimum, 1st percentile, 5th percentile and maximum FPS and
AnimationErrorPerFrame with six digits, then CapFrameX's average and, for 1 %, 0.2 % and 0.1 %, its percentile, low average
and low integral with two decimals.
"""
import csv
import math
import sys


def number(text):
    return None if text in (None, "", "NA") else float(text)


def linear(values, share):
    """Type 7, as PresentMon's."""
    place = (len(values) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] * (1 - place + below) + values[above] * (place - below)


def median_unbiased(values, share):
    """Type 8, as that of Math.NET, which CapFrameX uses."""
    rank = (len(values) + 1 / 3) * share + 1 / 3
    if rank < 1:
        return values[0]
    if rank >= len(values):
        return values[-1]
    below = int(rank)
    return values[below - 1] + (rank - below) * (values[below] - values[below - 1])


def integral(times, share):
    total = 0
    for time in sorted(times, reverse=True):
        total += time
        if total >= sum(times) * share:
            return time


def main(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = [{name.lower(): value for name, value in row.items()} for row in csv.DictReader(file)]
    streams = {}
    for row in rows:
        streams.setdefault((row["application"], row["processid"], row["swapchainaddress"]), []).append(row)
    for rows in streams.values():
        column = "msbetweenpresents" if "msbetweenpresents" in rows[0] else "frametime"
        times = [time for row in rows if (time := number(row[column])) and time > 0]
        if not times:
            print()
            continue
        order, rates = sorted(times), sorted(1000 / time for time in times)
        mean = sum(times) / len(times)
        figures = [1000 / mean, 1000 / order[-1], 1000 / linear(order, 0.99), 1000 / linear(order, 0.95), 1000 / order[0]]
        errors = [abs(error) for row in rows
                  if (error := number(row.get("msanimationerror", row.get("animationerror")))) is not None]
        figures += [sum(errors) / len(errors)] if errors else []
        theirs = [1000 / mean]
        for share in (0.01, 0.002, 0.001):
            slow = [time for time in times if time >= median_unbiased(order, 1 - share)]
            theirs += [median_unbiased(rates, share), 1000 / (sum(slow) / len(slow)), 1000 / integral(times, share)]
        print(*[f"{figure:.6g}" for figure in figures], *[f"{figure:.2f}" for figure in theirs])


main(sys.argv[1])
