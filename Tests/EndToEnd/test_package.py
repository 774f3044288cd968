"""Makes packages of a small program by scripts/package, in checkouts that differ in what the same commit may differ in."""
import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NEEDED = ["git", "dpkg-deb", "clang"]
PROGRAM = '#include <stdio.h>\nint main(void) { return puts("0.3.0 (1a2b3c4d5e6f)") < 0; }\n'
# In the place of a build and of what scripts/install makes of it.
INSTALL = """#!/bin/sh
mkdir -p "$3$2/bin" "$3$2/share/doc/framebudget" && cp program "$3$2/bin/framebudget" &&
cp -R Documentation "$3$2/share/doc/framebudget/Documentation"
"""


@unittest.skipUnless(all(map(shutil.which, NEEDED)), f"needs {', '.join(NEEDED)}")
class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "program.c").write_text(PROGRAM)
        subprocess.run(["clang", "-o", self.folder / "program", self.folder / "program.c"], check=True)

    def checkout(self, name, umask):
        """A repository with the same commit each time."""
        place = self.folder / name
        place.mkdir()
        files = {"LICENSE": "licence\n", "scripts/install": INSTALL, "scripts/spdx": '#!/bin/sh\necho "$@"\n'}
        files[".gitignore"] = ".build*/\nprogram\n*.orig\n"
        files |= {f"Documentation/{number}.md": "words\n" * number for number in range(10)}
        for path, text in files.items():
            file = place / path
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            file.chmod((0o777 if path.startswith("scripts") else 0o666) & ~umask)
        for script in ("package", "release"):
            shutil.copy(ROOT / "scripts" / script, place / "scripts")
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
            self.git(place, *words)
        shutil.copy(self.folder / "program", place)
        for package in ("Yams", "swift-system"):
            (place / ".build/checkouts" / package).mkdir(parents=True)
            (place / ".build/checkouts" / package / "LICENSE").write_text(package)
        return place

    @staticmethod
    def git(place, *words, **options):
        dates = {f"GIT_{person}_DATE": "2026-01-01T00:00:00Z" for person in ("AUTHOR", "COMMITTER")}
        subprocess.run(["git", "-C", place, "-c", "user.name=n", "-c", "user.email=e", *words], check=True,
                       env=os.environ | dates, **options)

    def run_in(self, place, umask, script, *words, **environment):
        done = subprocess.run([f"scripts/{script}", *words], cwd=place, umask=umask, capture_output=True, text=True,
                              env=os.environ | environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_same_commit_gives_the_same_bytes(self):
        sums = []
        for name, umask, locale in (("one", 0o002, "C"), ("other", 0o077, "en_US.UTF-8")):
            place = self.checkout(name, umask)
            release = place / ".build/release-files"
            self.run_in(place, umask, "package", LC_ALL=locale)
            sums.append({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in release.iterdir()})
            package = next(release.glob("*.deb"))
            size = subprocess.run(
                ["dpkg-deb", "--field", package, "Installed-Size"], capture_output=True, text=True, check=True)
            contents = self.folder / f"contents-{name}"
            subprocess.run(["dpkg-deb", "--extract", package, contents], check=True)
            files = [file.stat().st_size for file in contents.rglob("*") if file.is_file()]
            self.assertEqual(int(size.stdout), sum(-(-file // 1024) for file in files))
        self.assertEqual(sums[0], sums[1])
        self.assertEqual(len(sums[0]), 4)

    def test_files_that_the_commit_does_not_have_are_refused(self):
        place = self.checkout("dirty", 0o022)
        for path, text in (("Documentation/1.md", "more"), ("Documentation/draft.md", ""), ("Documentation/1.md.orig", ""),
                           ("new.swift", "")):
            file = place / path
            old = file.read_text() if file.exists() else None
            file.write_text(text)
            done = subprocess.run(["scripts/package"], cwd=place, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, path)
            self.assertIn(f"not as in the commit: {path}\n", done.stderr)
            self.assertFalse((place / ".build/release-files").exists())
            file.unlink() if old is None else file.write_text(old)
        self.run_in(place, 0o022, "package")

    def test_a_commit_has_the_same_digits_in_every_clone(self):
        (self.folder / "swift").write_text('#!/bin/sh\ncase "$*" in *--show-bin-path*) echo "$FRAMEBUDGET_COMMIT";; esac\n')
        (self.folder / "swift").chmod(0o755)
        place = self.checkout("clone", 0o022)
        commits = []
        for count in (1, 20_000):
            # Git gives a commit as many digits as the number of packed objects asks for.
            blobs = b"".join(b"blob\ndata 8\n%08d\n" % number for number in range(count))
            self.git(place, "fast-import", "--quiet", input=blobs)
            commits.append(self.run_in(place, 0o022, "release", PATH=f"{self.folder}:{os.environ['PATH']}").strip())
        self.assertEqual(commits[0], commits[1])
        self.assertEqual(len(commits[0]), 12)


if __name__ == "__main__":
    unittest.main()
