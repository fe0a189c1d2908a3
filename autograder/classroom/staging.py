"""Finds what a student handed in, and copies it to a folder that nbgrader can work with.

The copy holds one notebook under its proper name, and what nbgrader copies along with it: the
timestamp, the exchange's secret (without which `nbgrader release_feedback` fails) and the student's
other files. Timestamps that cannot be read, symbolic links and special files are not copied. The
original is never changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.course_folder import FOLDER
from autograder.classroom.places import assignment_folders, loose_notebooks, walk_files
from autograder.classroom.timestamps import TIMESTAMP, course_clock, find_timestamp
from autograder.classroom.which_notebook import choose_notebook, join_names
from autograder.grading import messages
from autograder.grading.read import UnreadableNotebook, read_cells, read_file
from autograder.model.notebook import NotebookNode
from autograder.model.printable import one_line
from autograder.processes.files import clear_unfinished

BY_HAND = FOLDER / "by-hand"
"""Folder in the course for what `MarkMemory` remembers."""

SECRET = "submission_secret.txt"
"""Which the exchange adds, for feedback."""


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
        folder: that the notebook lies in; None where there is none.
        doubts: those of `review` that say why it is not certain which file counts.
    """

    student: str
    raw: bytes
    file: str
    timestamp: bytes | None = None
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    carried: Carried = field(default_factory=Carried)
    folder: Path | None = None
    doubts: tuple[str, ...] = ()


def find_submission(
    course: Path, assignment: str, student: str, released: NotebookNode | None = None
) -> Staged:
    """Read one student's submission from folders that may hold anything.

    Args:
        course: its folder.
        assignment: the lesson's name.
        student: the name of the student's folder.
        released: the notebook that students were to work in.
    """
    expected = f"{assignment}.ipynb"
    home = course / "submitted" / student
    folders = assignment_folders(course, student, assignment)
    if folders and folders[0].name == assignment and folders[0].is_symlink():
        return Staged(student, b"", expected, review=(messages.LINKED_FOLDER,))
    folders = [folder for folder in folders if not folder.is_symlink()]
    files = {f"../{p.name}": p for p in loose_notebooks(course, student, assignment)}
    for folder in folders:
        beside = "" if folder.name == assignment else f"../{folder.name}/"
        files |= {f"{beside}{name}": p for name, p, is_file in walk_files(folder) if is_file}
    choice = choose_notebook(files, expected, assignment, _versions(course, assignment, released))
    folder = _folder_of(choice.path, folders, home)
    timestamp = find_timestamp(folder, course_clock(course))
    carried = _find_carried(folder, deep=folder != home)
    notes = list(choice.notes)
    beside = _handed_in_beside(course, assignment, carried)
    doubts = choice.review
    if beside and choice.path is None:
        notes.append(messages.NOT_OPENED.format(names=join_names(beside)))
    elif beside and choice.is_untouched and not doubts:
        shown = {"graded": one_line(choice.name), "names": join_names(beside)}
        doubts = (messages.WORK_BESIDE.format(**shown),)
    review = [*doubts, *filter(None, [timestamp.problem])]
    if carried.left:
        notes.insert(0, messages.LEFT_BEHIND.format(names=join_names(carried.left)))
    said = tuple(notes), tuple(review)
    there = choice.path and choice.path.parent
    when = timestamp.plain
    return Staged(student, choice.raw, choice.name, when, *said, carried, there, doubts)


def _versions(course: Path, assignment: str, released: NotebookNode | None) -> list[NotebookNode]:
    """Return the notebook as students got it: as it would be released today, and as it was."""
    found = [] if released is None else [released]
    with contextlib.suppress(OSError, UnreadableNotebook):
        raw = read_file(course / "release" / assignment / f"{assignment}.ipynb")
        found.append(NotebookNode({"cells": read_cells(raw, assignment)}))
    return found


def _folder_of(notebook: Path | None, folders: Sequence[Path], home: Path) -> Path:
    """Return the folder whose other files belong to a notebook; without one, the likeliest."""
    if notebook is None:
        return next(iter(folders), home)
    return next((folder for folder in folders if notebook.is_relative_to(folder)), home)


def _handed_in_beside(course: Path, assignment: str, carried: Carried) -> list[str]:
    """Return the files beside the notebooks that may hold work.

    What nbgrader adds, what students were given, and hidden files hold none.
    """
    given = [course / step / assignment for step in ("source", "release")]
    return [
        str(path)
        for path in carried.files
        if not any((folder / path).exists() for folder in given)
        and not any(part.startswith(".") for part in path.parts)
        and path.name != SECRET
        and ".ipynb" not in path.name.lower()
    ]


def _find_carried(folder: Path, *, deep: bool) -> Carried:
    """Find what lies beside the notebooks and the timestamp; links may lead anywhere."""
    digests: dict[Path, str] = {}
    left: list[str] = []
    for name, path, is_file in walk_files(folder, deep=deep):
        relative = Path(name)
        if relative.parts[0] == TIMESTAMP or any(
            part.endswith(".ipynb") for part in relative.parts
        ):
            continue
        digest = _file_digest(path) if is_file else ""
        if digest:
            digests[relative] = digest
        else:
            left.append(name)
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
