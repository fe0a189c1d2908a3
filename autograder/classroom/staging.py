"""Finds what a student handed in, and copies it to a place where nbgrader can work with it.

The copy holds one notebook under its proper name, and what nbgrader copies along with it: the
timestamp, the exchange's secret and the student's other files. Timestamps that cannot be read,
symbolic links and special files are not copied. The original is never changed.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.carried import Carried, copy_carried, find_carried
from autograder.core.files import clear_unfinished
from autograder.core.notebook import KIT_METADATA
from autograder.core.printable import one_line, printable
from autograder.grading import messages
from autograder.grading.read import MAX_BYTES

BY_HAND = Path(".autograder", "by-hand")
"""Folder in the course for what `MarkMemory` remembers."""

TIMESTAMP = "timestamp.txt"
MAX_TIMESTAMP = 200
"""Bytes of a timestamp; nbgrader's own have about 30."""

MAX_NAMES = 5
"""Number of file names in a note."""


@dataclass(frozen=True)
class Staged:
    """One student's submission.

    Attributes:
        student: the name of the folder.
        raw: the notebook's bytes; empty when there is none.
        file: its name as handed in, for messages.
        timestamp: bytes of timestamp.txt; None when there is none that can be read.
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
    """The students' folders, sorted."""
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
    """Read one student's submission, whatever is in the folder."""
    folder = course / "submitted" / student / assignment
    expected = f"{assignment}.ipynb"
    if folder.is_symlink():
        return Staged(student, b"", expected, review=(messages.LINKED_FOLDER,))
    notes: list[str] = []
    review: list[str] = []
    raw, file = b"", expected
    notebooks = _notebooks(folder)
    if expected not in notebooks:
        notebooks = [n for n in notebooks if _is_of(folder / n, assignment)] or notebooks
    if expected in notebooks:
        raw = _read(folder / expected)
    elif len(notebooks) == 1:
        file = notebooks[0]
        notes.append(messages.RENAMED.format(found=printable(file), expected=expected))
        raw = _read(folder / file)
    elif notebooks:
        found = _join_names(notebooks)
        review.append(messages.SEVERAL_NOTEBOOKS.format(found=found, expected=expected))
    else:
        review.append(messages.NO_NOTEBOOK.format(expected=expected))
    timestamp, bad = _timestamp(folder / TIMESTAMP)
    if bad:
        review.append(messages.BAD_TIMESTAMP.format(text=bad))
    carried = find_carried(folder, but=TIMESTAMP)
    if carried.left:
        notes.append(messages.LEFT_BEHIND.format(names=_join_names(carried.left)))
    return Staged(student, raw, file, timestamp, tuple(notes), tuple(review), carried)


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


def _read(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The file's bytes; one more than the limit where it is longer."""
    with path.open("rb") as file:
        return file.read(limit + 1)


def _is_of(path: Path, assignment: str) -> bool:
    try:
        return json.loads(_read(path))["metadata"][KIT_METADATA]["lesson"] == assignment
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _timestamp(path: Path) -> tuple[bytes | None, str]:
    """The timestamp's bytes, and its text where nbgrader could not read it as a time."""
    from nbgrader.utils import parse_utc

    if not _is_regular(path):
        return None, ""
    raw = _read(path, MAX_TIMESTAMP)
    try:
        text = raw.decode().strip()
        if text:
            parse_utc(text)
    except Exception:  # dateutil raises several kinds
        return None, one_line(raw.decode(errors="replace"), 60)
    return (raw, "") if len(raw) <= MAX_TIMESTAMP else (None, one_line(text, 60))


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
        copy_carried(staged.carried, temporary)
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
