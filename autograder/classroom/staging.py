"""Finds what a student handed in, and copies it to a folder that nbgrader can work with.

The copy holds one notebook under its proper name, and what nbgrader copies along with it: the
timestamp, the exchange's secret (without which `nbgrader release_feedback` fails) and the student's
other files. Timestamps that cannot be read, symbolic links and special files are not copied. The
original is never changed.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.course_folder import FOLDER
from autograder.classroom.timestamps import TIMESTAMP, course_clock, find_timestamp
from autograder.core.files import clear_unfinished
from autograder.core.notebook import KIT_METADATA
from autograder.core.printable import one_line, printable
from autograder.grading import messages
from autograder.grading.read import MAX_BYTES

BY_HAND = FOLDER / "by-hand"
"""Folder in the course for what `MarkMemory` remembers."""

MAX_NAMES = 5
"""Number of file names in a note."""

MAX_DEPTH = 50
"""Depth of nested folders; nbgrader's own recursive copy fails at some hundreds."""


@dataclass(frozen=True)
class Carried:
    """The regular files beside a notebook.

    Attributes:
        folder: where they are.
        files: their paths in it, sorted.
        digest: SHA-256 of their paths and contents; "" when there are none.
        left: paths that cannot be copied, sorted.
    """

    folder: Path = Path()
    files: tuple[Path, ...] = ()
    digest: str = ""
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Staged:
    """One student's submission.

    Attributes:
        student: the name of the folder.
        raw: the notebook's bytes; empty when there is none.
        file: its name as handed in, for messages.
        timestamp: when it was handed in, as nbgrader writes it; None where that cannot be read.
        notes: what was fixed, for the student.
        review: why a person should review it.
        carried: the other files that were handed in.
    """

    student: str
    raw: bytes
    file: str
    timestamp: bytes | None = None
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    carried: Carried = field(default_factory=Carried)


def _students(course: Path) -> list[Path]:
    """Return the students' folders, sorted."""
    try:
        with os.scandir(course / "submitted") as entries:
            return sorted(Path(e.path) for e in entries if e.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return []


def students_of(course: Path, assignment: str) -> list[str]:
    """Return the students with a folder for the assignment, sorted."""
    return [folder.name for folder in _students(course) if (folder / assignment).is_dir()]


def assignments_of(course: Path) -> set[str]:
    """Return the names of all folders that students have handed in."""
    return {path.name for folder in _students(course) for path in folder.iterdir() if path.is_dir()}


def strange_folders(course: Path) -> list[str]:
    """Return folders that are named like no assignment, relative to the course."""
    submitted = course / "submitted"
    names = sorted(assignments_of(course) - {e.name for e in os.scandir(course / "source")})
    found = (path for name in names for path in sorted(submitted.glob(f"*/{glob.escape(name)}")))
    return [str(path.relative_to(course)) for path in found if path.name[0] != "."]


def find_submission(course: Path, assignment: str, student: str) -> Staged:
    """Read one student's submission from a folder that may hold anything."""
    folder = course / "submitted" / student / assignment
    file = expected = f"{assignment}.ipynb"
    if folder.is_symlink():
        return Staged(student, b"", expected, review=(messages.LINKED_FOLDER,))
    notes: list[str] = []
    review: list[str] = []
    notebooks = _notebooks(folder)
    if expected in notebooks:
        notebooks = [expected]
    else:
        notebooks = [n for n in notebooks if _is_of(folder / n, assignment)] or notebooks
    if len(notebooks) == 1 and notebooks != [expected]:
        file = notebooks[0]
        notes.append(messages.RENAMED.format(found=printable(file), expected=expected))
    elif not notebooks:
        review.append(messages.NO_NOTEBOOK.format(expected=expected))
    elif len(notebooks) > 1:
        found = _join_names(notebooks)
        review.append(messages.SEVERAL_NOTEBOOKS.format(found=found, expected=expected))
    raw = _read(folder / file) if len(notebooks) == 1 else b""
    timestamp = find_timestamp(folder, course_clock(course))
    if timestamp.problem:
        review.append(timestamp.problem)
    carried = _find_carried(folder)
    if carried.left:
        notes.append(messages.LEFT_BEHIND.format(names=_join_names(carried.left)))
    return Staged(student, raw, file, timestamp.plain, tuple(notes), tuple(review), carried)


def _join_names(names: Sequence[str]) -> str:
    shown = [one_line(name) for name in names[:MAX_NAMES]]
    return ", ".join([*shown, "..."] if len(names) > MAX_NAMES else shown)


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _notebooks(folder: Path) -> list[str]:
    names = sorted(entry.name for entry in os.scandir(folder))
    return [name for name in names if name.endswith(".ipynb") and _is_regular(folder / name)]


def _read(path: Path) -> bytes:
    """Return the file's bytes, and one byte more than the limit where it is too long."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _is_of(path: Path, assignment: str) -> bool:
    try:
        return json.loads(_read(path))["metadata"][KIT_METADATA]["lesson"] == assignment
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _find_carried(folder: Path) -> Carried:
    """Find what lies beside the notebooks and the timestamp; links may lead anywhere."""
    digests: dict[Path, str] = {}
    left: list[str] = []
    for name, folders, files in os.walk(folder):
        here = Path(name)
        entries = [here / entry for entry in (*folders, *files)]
        skipped = {folder / TIMESTAMP, *(p for p in entries if p.name.endswith(".ipynb"))}
        entries = [path for path in entries if path not in skipped]
        is_deep = len(here.relative_to(folder).parts) >= MAX_DEPTH
        inner = [p.name for p in entries if p.name in folders and not p.is_symlink()]
        folders[:] = [] if is_deep else inner
        for path in entries:
            if path.name in folders:
                continue  # its files come later
            digest = _file_digest(path) if _is_regular(path) else ""
            if digest:
                digests[path.relative_to(folder)] = digest
            else:
                left.append(str(path.relative_to(folder)))
    found = tuple(sorted(digests))
    contents = repr([(str(path), digests[path]) for path in found])
    digest = hashlib.sha256(contents.encode()).hexdigest() if found else ""
    return Carried(folder, found, digest, tuple(sorted(left)))


def _file_digest(path: Path) -> str:
    """Return the SHA-256 of a file; "" when it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def write_copy(staging: Path, assignment: str, staged: Staged) -> None:
    """Replace the copy by a new one, whole or not at all.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    target = staging / staged.student / assignment
    temporary = staging / f".{staged.student}.{os.getpid()}"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    try:
        # Written even when empty: grading then makes a notebook that says so.
        (temporary / f"{assignment}.ipynb").write_bytes(staged.raw)
        if staged.timestamp is not None:
            (temporary / TIMESTAMP).write_bytes(staged.timestamp)
        for path in staged.carried.files:
            (temporary / path).parent.mkdir(parents=True, exist_ok=True)
            # A file that was collected again in the meantime is recorded by the next run.
            with contextlib.suppress(FileNotFoundError):
                source = staged.carried.folder / path
                shutil.copyfile(source, temporary / path, follow_symlinks=False)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def clear_leftovers(staging: Path) -> None:
    """Remove unfinished files of a killed grader; the caller holds the course's lock."""
    course = staging.parent.parent
    for folder in (staging, staging.parent, course, *course.glob(f"{BY_HAND}/*")):
        clear_unfinished(folder)
    for path in staging.glob(".*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
