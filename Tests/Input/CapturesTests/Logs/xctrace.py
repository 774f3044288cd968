"""Totals of the tables of an Instruments export, counted without the project's code.

Usage: xctrace.py FILE. The rows; of rows with a duration the sum and the longest in ns, and those of more than 250 ms; of
timestamps the rate of the median span in hertz, 0 without any.
"""
import statistics
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
known = {cell.get("id"): cell for cell in root.iter() if cell.get("id")}
columns = [column.text for column in root.iter("mnemonic")]
rows = [[known.get(cell.get("ref"), cell) for cell in row] for row in root.iter("row")]


def values(name):
    place = columns.index(name) if name in columns else None
    return [] if place is None else [int(row[place].text) for row in rows]


lengths = values("duration") or [0]
instants = sorted(values("timestamp"))
spans = [after - before for before, after in zip(instants, instants[1:])]
hertz = 1e9 / statistics.median(spans) if spans else 0
print(len(rows), sum(lengths), max(lengths), sum(length > 250_000_000 for length in lengths), f"{hertz:.2f}")
