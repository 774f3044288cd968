"""Reads the commands and files of a page of the documentation, in order, with the output that it shows."""
import dataclasses
import re

# This line marks omitted lines.
CUT = "…"
PROMPT = "$ "


@dataclasses.dataclass
class Command:
    """A command line. `shown` are the lines of output below it, None if the page shows none."""
    text: str
    line: int
    shown: list = None

    @property
    def beginning_and_end(self):
        """The shown lines before and after the cut."""
        place = self.shown.index(CUT)
        return self.shown[:place], self.shown[place + 1:]


@dataclasses.dataclass
class File:
    """A scenario that the reader saves under this name."""
    name: str
    text: str


@dataclasses.dataclass
class Picture:
    """A block that is neither typed nor saved."""
    text: str
    line: int


def steps(markdown):
    """The commands, files and pictures of a page, in the page's order."""
    block, first = None, 0
    for number, line in enumerate(markdown.split("\n"), 1):
        if block is None and not line.startswith("```"):
            for text in re.findall(r"`(framebudget [^`]+)`", line):
                yield Command(text, number)
        elif block is None:
            language, block, first = line[3:].strip(), [], number + 1
        elif line.startswith("```"):
            yield from _of_block(language, block, first)
            block = None
        else:
            block.append(line)


def _of_block(language, lines, first):
    text = "\n".join(lines) + "\n"
    name = re.match(r"scenario: (\S+)\n", text)
    if language == "yaml" and name:
        yield File(f"{name.group(1)}.yaml", text)
    elif lines[0].startswith(PROMPT):
        yield from _transcript(lines, first)
    elif re.match(r"(framebudget|make) ", lines[0]):
        for place, line in enumerate(lines):
            yield Command(re.sub(r"\s+# .*", "", line), first + place)
    else:
        yield Picture(text, first)


def _transcript(lines, first):
    command = None
    for place, line in enumerate(lines):
        if line.startswith(PROMPT):
            if command:
                yield command
            command = Command(line[len(PROMPT):], first + place, [])
        else:
            command.shown.append(line)
    yield command


def difference(command, output):
    """The first difference between `output` and the shown lines, to the byte, or None."""
    lines = output.split("\n")[:-1]
    if CUT not in command.shown:
        return None if lines == command.shown else _told(command.shown, lines)
    before, after = command.beginning_and_end
    if len(lines) <= len(before) + len(after):
        return f"nothing is left out at {CUT}"
    there = lines[:len(before)], lines[len(lines) - len(after):]
    return None if there == (before, after) else _told(before + after, there[0] + there[1])


def _told(shown, there):
    for place, line in enumerate(there):
        if place >= len(shown) or shown[place] != line:
            shown = shown[place] if place < len(shown) else "nothing"
            return f"shown: {shown}\n  there: {line}"
    return f"shown: {shown[len(there)]}\n  there: nothing"


def shown_of(command, output):
    """The lines of `output` to show, cut where the page cuts them now."""
    lines = output.split("\n")[:-1]
    if CUT not in command.shown:
        return lines
    before, after = command.beginning_and_end
    return lines[:len(before)] + [CUT] + lines[len(lines) - len(after):]


# Columns of measured results that are shown only if they are not empty, and the columns that they displace.
_CHANGING = {"by the machine", "worst ms"}


def form(output):
    """The parts that all measured outputs of the same runs share, with numbers masked: the topics of the sentences, the runs,
    the columns and rows of the table."""
    masked = re.sub(r"\d+(\.\d+)?", "#", output)
    # Where text wraps depends on the figures, so each paragraph becomes one line.
    paragraphs = [" ".join(part.split()) for part in masked.split("\n\n")]
    found = [match.group() for match in [re.match(r"With .*? the app\b", paragraphs[0])] if match]
    found += [part for part in paragraphs if re.fullmatch(r"[\w-]+: # Hz, .*; real engine, # cores", part)]
    found += _table(output.split("\n"))
    titles = re.findall(r"- ((?:Where|The)[\w ]*):", " ".join(paragraphs))
    found += sorted({part.lower().replace("nearest", "best") for title in titles for part in title.split(" and ")})
    return found + [part for part in paragraphs if part.startswith("(--details")]


def _table(lines):
    """The titles of the columns, without the changing ones, and the first word of each row."""
    head = next((place for place, line in enumerate(lines) if line.startswith("strategy ")), None)
    if head is None:
        return []
    ends = {match.end(): match.group() for match in re.finditer(r"\S+(?: \S+)*", lines[head - 1])}
    titles = {f"{ends.get(match.end(), '')} {match.group()}".strip()
              for match in re.finditer(r"\S+(?: \S+)*", lines[head])}
    rows = [match.group(1) for line in lines[head + 1:] if (match := re.match(r"([a-z][a-z-]*)[ !*]* \d", line))]
    return sorted(titles - _CHANGING) + rows


def difference_of_forms(command, output):
    """The difference between measured `output` and the shown lines, with numbers masked, or None."""
    shown, there = form("\n".join(command.shown) + "\n"), form(output)
    if CUT in command.shown:
        there = [part for part in there if part in shown]
    return None if shown and shown == there else f"shown: {shown}\n  there: {there}"
