"""Types the commands of the README and the tutorial, and compares the output with what they show.

FRAMEBUDGET names the program. Simulated results are compared to the byte. Measured runs are shortened and compared by their
form. REWRITE_GOLDEN=1 writes the output into the pages instead, cut where the pages cut it.
"""
import os
import subprocess
import tempfile
import unittest

import documents

PROGRAM = os.environ["FRAMEBUDGET"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TUTORIAL = "Documentation/Tutorial.md"
PAGES = ["README.md", TUTORIAL]

# Commands that are not typed here, and why.
NOT_TYPED = {
    'make install PREFIX="$HOME/.local"': "installs the program; other tests cover that",
    "make test": "runs all tests, including this one",
    "framebudget record chrome page.html -o app": "records a page in a browser; test_record.py covers that",
    "framebudget live messages.yaml": "draws on a terminal and ends with a key; test_live.py covers that",
}

# Replacements for lines that would build the program, which is built already.
INSTEAD = {"make run": "framebudget run camera-upload"}

# The beginnings of blocks that are neither typed nor saved, and why.
PICTURES = {
    "import FrameBudgetTesting": "a test in another package; FrameBudgetTestingTests has similar ones",
    ".package(url:": "two lines of a package; scripts/test-clients builds packages with them",
}

# Commands that create the files which the reader of a page has by then.
PREPARED = {
    "README.md": [
        "framebudget run camera-upload --engine virtual -q -o results/before",
        "framebudget run camera-upload --engine virtual -q -o results/after",
        "printf 'timestamp\\n0\\n16.7\\n33.3\\n66.7\\n' > capture.csv",
        "framebudget run like-chrome --engine virtual --strategy main-thread -q -o traced --trace trace.json",
        "gzip trace.json",
    ],
}


def is_measured(line):
    """Whether the command runs in real time."""
    words = line.split()
    return words[:1] == ["framebudget"] and (
        words[1] == "live" or words[1] == "run" and "--engine virtual" not in line)


def shortened(line, shown):
    """The command with a shorter run; if the page shows output, long enough for its statements to hold."""
    line = INSTEAD.get(line, line)
    if line == "framebudget bench":
        return "framebudget bench --quick --repeat 1"
    if not is_measured(line):
        return line
    return f'{line} --duration "{"2 s" if shown else "500 ms"}"'


class Typed:
    """The results of a page's command lines, typed one after another in an empty folder."""

    def __init__(self, page, text):
        self.failures, self.outputs, self.typed = [], [], set()
        with tempfile.TemporaryDirectory() as self.folder:
            for line in PREPARED.get(page, []):
                status, _, log = self._run(line)
                assert status == 0, f"{line}: {log}"
            for step in documents.steps(text):
                self._take(step)

    def _take(self, step):
        if isinstance(step, documents.File):
            with open(os.path.join(self.folder, step.name), "w", encoding="utf-8") as file:
                file.write(step.text)
        elif isinstance(step, documents.Picture):
            if not step.text.startswith(tuple(PICTURES)):
                self.failures.append(f"line {step.line}: neither typed, nor saved, nor among the pictures")
        elif step.shown or step.text not in {*NOT_TYPED, *INSTEAD, *self.typed}:
            self._type(step)

    def _type(self, command):
        line = shortened(command.text, command.shown)
        status, everything, result = self._run(line)
        self.typed.add(command.text)
        if status != 0:
            self.failures.append(f"line {command.line}: status {status}: {line}\n  {everything}")
        if not command.shown:
            return
        measured = is_measured(line)
        difference = (documents.difference_of_forms(command, result) if measured
                      else documents.difference(command, everything))
        if difference:
            self.failures.append(f"line {command.line}: {command.text}\n  {difference}")
        if not measured:
            self.outputs.append((command, everything))

    def _run(self, line):
        """The exit status, all output as in a terminal, and standard output alone."""
        environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LC_ALL", "LC_CTYPE")}
        environment |= {"LANG": "C.UTF-8", "PATH": f"{os.path.dirname(PROGRAM)}:{environment['PATH']}"}
        measured = is_measured(line)
        if measured:
            # Figures of a busy machine are longer, and hide no column that the page shows.
            environment["COLUMNS"] = "100"
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE if measured else subprocess.STDOUT, timeout=1200)
        return done.returncode, done.stdout + (done.stderr or ""), done.stdout


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def rewrite(page, text, outputs):
    """Writes the outputs into the page, the last one first, so that the lines above keep their numbers."""
    lines = text.split("\n")
    for command, output in reversed(outputs):
        # A command's line is counted from 1, so this is the index of the line below it.
        lines[command.line:command.line + len(command.shown)] = documents.shown_of(command, output)
    with open(os.path.join(ROOT, page), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


class DocumentTest(unittest.TestCase):
    maxDiff = None

    # Slow: types every command of two pages.
    def test_output_matches_the_page(self):
        for page in PAGES:
            with self.subTest(page=page):
                text = read(page)
                typed = Typed(page, text)
                self.assertGreater(len(typed.typed), 10)
                if os.environ.get("REWRITE_GOLDEN") and typed.outputs:
                    rewrite(page, text, typed.outputs)
                else:
                    self.assertEqual(typed.failures, [], "\n".join(typed.failures))

    def test_every_exception_is_on_a_page(self):
        found = [step for page in PAGES for step in documents.steps(read(page))]
        lines = [step.text for step in found if isinstance(step, documents.Command)]
        pictures = [step.text for step in found if isinstance(step, documents.Picture)]
        for line in [*NOT_TYPED, *INSTEAD]:
            self.assertIn(line, lines)
        for beginning in PICTURES:
            self.assertTrue(any(text.startswith(beginning) for text in pictures), beginning)

    # Proofs that the tests above can fail

    def test_an_altered_figure_is_found(self):
        page = "```console\n$ framebudget check steady\n{}\n```\n"
        right = "steady: ok: 60 Hz, 60 s, 0 services, 0 workloads, 2 strategies"
        there = subprocess.run([PROGRAM, "check", "steady"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(there, r"^steady: ok: 60 Hz, .* strateg")
        for shown, is_right in [(there.rstrip("\n"), True), (there.rstrip("\n").replace("60 Hz", "61 Hz"), False),
                               (there + "and more", False), ("", False)]:
            with self.subTest(shown=shown):
                self.assertEqual(Typed("", page.format(shown)).failures == [], is_right)

    def test_a_command_that_fails_is_found(self):
        self.assertEqual(len(Typed("", "`framebudget check nowhere.yaml`\n").failures), 1)
        self.assertEqual(len(Typed("", "```\nnobody knows what\n```\n").failures), 1)

    def test_an_altered_line_beside_a_cut_is_found(self):
        output = "first\nsecond\nthird\nlast\n"
        for shown, is_right in [
            (["first", "…", "last"], True), (["…", "last"], True), (["first", "…"], True),
            (["second", "…"], False), (["first", "…", "third"], False),
            # This cut omits nothing.
            (["first", "second", "…", "third", "last"], False),
        ]:
            with self.subTest(shown=shown):
                found = documents.difference(documents.Command("", 1, shown), output)
                self.assertEqual(found is None, is_right)

    def test_measured_output_may_differ_in_figures_alone(self):
        shown = MEASURED.split("\n")[:-1]
        for old, new, is_right in [
            ("1.5 s", "2 s", True), ("36.5", "40", True), ("main-thread  ", "other-thread ", False),
            ("900 messages", "900 items", False), ("dropped ", "missed  ", False), ("120 Hz", "60 fps", False),
            ("The best", "The nearest", True), ("Where you are", "Where you were", False),
        ]:
            with self.subTest(old=old, new=new):
                self.assertIn(old, MEASURED)
                found = documents.difference_of_forms(
                    documents.Command("", 1, shown), MEASURED.replace(old, new))
                self.assertEqual(found is None, is_right, found)


MEASURED = """\
With 900 messages the app hangs for 1.5 s. threads-and-locks: none of 480
frames dropped.

messages: 120 Hz, 4 s, seed 1; real engine, 2 cores

                        dropped            hitch  worst  items  items   late
strategy                 frames     %       ms/s     ms   done   left  resp.
main-thread                 175  36.5   365 poor   1462    940      0  15/40
threads-and-locks !*          0     0     0 good   4.52    940      0   0/40
hitch: ms of missed vsyncs per second

- Where you are and the worst: main-thread dropped 175 of 480 frames.
- The best: threads-and-locks dropped none.
"""

if __name__ == "__main__":
    unittest.main()
