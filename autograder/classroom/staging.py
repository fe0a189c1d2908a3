"""What was handed in, found and copied where nbgrader can work with it; originals stay untouched.

The copy holds one notebook under its proper name, and what nbgrader carries along beside it: the
timestamp, the exchange's secret, the student's other files, byte for byte. A timestamp that cannot
be read, symbolic links and what is no regular file go no further.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.carried import Carried, carry, find_carried
from autograder.core.files import clear_unfinished
from autograder.core.notebook import KIT_METADATA
from autograder.core.printable import one_line, printable
from autograder.grading import messages
from autograder.grading.read import MAX_BYTES

BY_HAND = Path(".autograder", "by-hand")
"""In the course: what marks given by hand were given for."""

TIMESTAMP = "timestamp.txt"
MAX_TIMESTAMP = 200
"""Bytes of a timestamp; nbgrader's own have some 30."""

SHOWN = 5
"""Names of files that a note tells."""


@dataclass(frozen=True)
class Staged:
    """One student's submission.

    Attributes:
        student: the name of the folder.
        raw: the notebook's bytes; empty when there is none.
        file: its name as handed in, for messages.
        timestamp: bytes of timestamp.txt; None when there is none that can be read.
        notes: what was put right, for the student.
        look: why a person should look at it; empty when nobody need.
        carried: the other files that were handed in.
    """

    student: str
    raw: bytes
    file: str
    timestamp: bytes | None = None
    notes: tuple[str, ...] = ()
    look: tuple[str, ...] = ()
    carried: Carried = field(default_factory=Carried)


def students_of(course: Path, assignment: str) -> list[str]:
    """Students with a folder for the assignment, sorted."""
    submitted = course / "submitted"
    if not submitted.is_dir():
        return []
    return sorted(
        entry.name
        for entry in os.scandir(submitted)
        if entry.is_dir(follow_symlinks=False) and (submitted / entry.name / assignment).is_dir()
    )


def assignments_of(course: Path) -> set[str]:
    """Names of the folders that students have handed in."""
    submitted = course / "submitted"
    if not submitted.is_dir():
        return set()
    students = [e.name for e in os.scandir(submitted) if e.is_dir(follow_symlinks=False)]
    folders = (entry for name in students for entry in os.scandir(submitted / name))
    return {entry.name for entry in folders if entry.is_dir()}


def strange_folders(course: Path) -> list[str]:
    """Folders handed in that are named like no assignment, relative to the course."""
    submitted = course / "submitted"
    names = sorted(assignments_of(course) - {e.name for e in os.scandir(course / "source")})
    found = (path for name in names for path in sorted(submitted.glob(f"*/{glob.escape(name)}")))
    return [str(path.relative_to(course)) for path in found if path.name[0] != "."]


def find_submission(course: Path, assignment: str, student: str) -> Staged:
    """Read one student's submission, whatever is in the folder."""
    folder = course / "submitted" / student / assignment
    notes: list[str] = []
    look: list[str] = []
    raw, file = b"", f"{assignment}.ipynb"
    notebooks = _notebooks(folder)
    if folder.is_symlink():
        look.append(messages.LINKED_FOLDER)
    elif file in notebooks:
        raw = _read(folder / file)
    else:
        ours = [name for name in notebooks if _is_of(folder / name, assignment)] or notebooks
        if len(ours) == 1:
            notes.append(messages.RENAMED.format(found=printable(ours[0]), expected=file))
            file = ours[0]
            raw = _read(folder / file)
        elif ours:
            look.append(messages.SEVERAL_NOTEBOOKS.format(found=_listed(ours), expected=file))
        else:
            look.append(messages.NO_NOTEBOOK.format(expected=file))
    if folder.is_symlink():
        return Staged(student, raw, file, None, tuple(notes), tuple(look))
    timestamp, bad = _timestamp(folder / TIMESTAMP)
    if bad:
        look.append(messages.BAD_TIMESTAMP.format(text=bad))
    carried = find_carried(folder, but=TIMESTAMP)
    if carried.left:
        notes.append(messages.LEFT_BEHIND.format(names=_listed(carried.left)))
    return Staged(student, raw, file, timestamp, tuple(notes), tuple(look), carried)


def _listed(names: Sequence[str]) -> str:
    shown = [one_line(name) for name in names[:SHOWN]]
    return ", ".join([*shown, "..."] if len(names) > SHOWN else shown)


def _regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _notebooks(folder: Path) -> list[str]:
    """Names of the notebooks of a folder; none where it is a link, which may lead anywhere."""
    if folder.is_symlink():
        return []
    names = sorted(entry.name for entry in os.scandir(folder))
    return [name for name in names if name.endswith(".ipynb") and _regular(folder / name)]


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _is_of(path: Path, assignment: str) -> bool:
    try:
        return json.loads(_read(path))["metadata"][KIT_METADATA]["lesson"] == assignment
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _timestamp(path: Path) -> tuple[bytes | None, str]:
    """The timestamp's bytes, and the text that is none, where nbgrader would give up."""
    from nbgrader.utils import parse_utc

    if not _regular(path):
        return None, ""
    with path.open("rb") as file:
        raw = file.read(MAX_TIMESTAMP + 1)
    try:
        text = raw.decode().strip()
        if text:
            parse_utc(text)
    except Exception:  # dateutil raises several kinds
        return None, one_line(raw.decode(errors="replace"), 60)
    return (raw, "") if len(raw) <= MAX_TIMESTAMP else (None, one_line(text, 60))


def write_copy(staging: Path, assignment: str, staged: Staged) -> None:
    """Replace the copy by a new one, all of it or nothing.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    target = staging / staged.student / assignment
    temporary = staging / f".{staged.student}.{os.getpid()}"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    try:
        # Also where there is none: an empty file becomes a notebook that says so.
        (temporary / f"{assignment}.ipynb").write_bytes(staged.raw)
        if staged.timestamp is not None:
            (temporary / TIMESTAMP).write_bytes(staged.timestamp)
        carry(staged.carried, temporary)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def clear_leftovers(staging: Path) -> None:
    """Remove what a killed grader had begun to write; the caller holds the course's lock."""
    course = staging.parent.parent
    for folder in (staging, staging.parent, course, *course.glob(f"{BY_HAND}/*")):
        clear_unfinished(folder)
    for path in staging.glob(".*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)


def chosen(students: list[str], wanted: Iterable[str]) -> list[str]:
    """The students asked for; all when nobody is named.

    Raises:
        ValueError: one of them has handed nothing in.
    """
    names = list(wanted)
    strangers = sorted(set(names) - set(students))
    if strangers:
        raise ValueError(f"nothing was handed in by {', '.join(strangers)}")
    return [s for s in students if s in names] if names else students
