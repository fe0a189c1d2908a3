"""Finds what students handed in, and copies it to a folder that nbgrader can work with.

nbgrader expects ``submitted/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb``. A folder whose name differs in
case, and a notebook that lies directly in the student's folder, are found too. All else is named.

The copy holds one notebook under its proper name, and what nbgrader copies along with it: the
timestamp, the exchange's secret (without which `nbgrader release_feedback` fails) and the student's
other files. Timestamps that cannot be read, symbolic links and special files are not copied. The
original is never changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.course_config import FOLDER, CourseConfig
from autograder.classroom.timestamps import TIMESTAMP, find_timestamp
from autograder.classroom.which_notebook import choose_notebook, is_hidden, join_names
from autograder.grading import messages
from autograder.grading.apart import read_if_possible
from autograder.grading.read import UnreadableNotebook, named_lesson, read_cells, read_file
from autograder.model.notebook import NotebookNode
from autograder.model.printable import one_line
from autograder.processes.files import clear_unfinished

STAGING = FOLDER / "staging"
"""Folder in the course for the copies."""

BY_HAND = FOLDER / "by-hand"
"""Folder in the course for what `MarkMemory` remembers."""

SECRET = "submission_secret.txt"
"""Which the exchange adds, for feedback."""

MAX_DEPTH = 50
"""Depth of nested folders; nbgrader's own recursive copy fails at some hundreds."""

_NOTEBOOK = re.compile(r"\.ipynb(\.\w+)?", re.IGNORECASE)


# --- all that was handed in -----------------------------------------------------------------------


@dataclass(frozen=True)
class StudentFolder:
    """What lies in a student's folder.

    Attributes:
        path: of the folder.
        folders: by assignment, the folders with its name, the one with its very name first. A
            link counts: where it leads is not followed.
        notebooks: by assignment, the notebooks that lie directly in the student's folder.
        strange: folders and notebooks that belong to no assignment.
    """

    path: Path
    folders: dict[str, list[Path]]
    notebooks: dict[str, list[Path]]
    strange: list[Path]

    @property
    def assignments(self) -> set[str]:
        """The assignments that something was handed in for."""
        return {*self.folders, *self.notebooks}


def source_names(course: Path) -> list[str]:
    """Return the names of the assignments in a course, sorted."""
    return [path.name for path in _entries(course / "source") if path.is_dir()]


def student_folders(course: Path) -> dict[str, StudentFolder]:
    """Read the folders of all students, sorted by their names."""
    names = source_names(course)
    folders = [p for p in _entries(course / "submitted") if p.is_dir() and not p.is_symlink()]
    return {path.name: read_student_folder(path, names) for path in folders}


def read_student_folder(path: Path, names: Collection[str]) -> StudentFolder:
    """Read what lies in a student's folder.

    Args:
        path: the folder.
        names: of the course's assignments.
    """
    found = StudentFolder(path, defaultdict(list), defaultdict(list), [])
    for entry in _entries(path):
        if entry.is_dir():
            spelt = (name for name in names if name.casefold() == entry.name.casefold())
            name = entry.name if entry.name in names else next(spelt, "")
            there = found.folders[name] if name else found.strange
        elif _is_notebook(entry):
            name = _lesson_of(entry, names)
            there = found.notebooks[name] if name else found.strange
        else:
            continue
        there.insert(0 if entry.name == name else len(there), entry)
    return found


def strange_folders(course: Path, students: Collection[StudentFolder]) -> list[str]:
    """Return folders that are named like no assignment, relative to the course."""
    strange = [path for student in students for path in student.strange if path.is_dir()]
    return _relative([path for path in strange if path.name[0] != "."], course)


def strange_notebooks(
    course: Path, students: Collection[StudentFolder], assignments: Collection[str] = ()
) -> list[str]:
    """Return notebooks that belong to no submission, relative to the course.

    They lie in no student's folder, or directly in one, where nothing says which assignment is
    meant.

    Args:
        course: its folder.
        students: of the course.
        assignments: only notebooks that may be for these; default: all.
    """
    found = [path for student in students for path in student.strange if not path.is_dir()]
    names = source_names(course)
    for path in filter(_is_notebook, _entries(course / "submitted")):
        if not assignments or _lesson_of(path, names) in (*assignments, ""):
            found.append(path)
    return _relative(found, course)


def _relative(paths: list[Path], course: Path) -> list[str]:
    ordered = sorted(paths, key=lambda path: (path.name, str(path)))
    return [str(path.relative_to(course)) for path in ordered]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_notebook(path: Path) -> bool:
    named = _NOTEBOOK.search(path.name) is not None and not path.name.startswith(".")
    return named and is_regular(path)


def is_regular(path: Path) -> bool:
    """Return whether a path is a regular file: no link, which may lead anywhere, and no pipe."""
    return os.path.isfile(path) and not os.path.islink(path)


def _lesson_of(path: Path, names: Collection[str]) -> str:
    """Return the assignment that a notebook is for: as its metadata say, else by its name."""
    try:
        named = read_if_possible(named_lesson, raw=read_file(path))
    except OSError:
        return ""
    if named:
        return named if named in names else ""
    stem = _NOTEBOOK.split(path.name)[0].casefold()
    fitting = [
        name
        for name in names
        if stem.startswith(name.casefold()) and not stem[len(name) :][:1].isalnum()
    ]
    return max(fitting, key=len, default="")


def walk_files(folder: Path, *, deep: bool = True) -> Iterator[tuple[str, Path, bool]]:
    """Yield what lies in a folder, by its name relative to it, and whether it is a regular file.

    Folders are yielded only where they are not entered: links, and those that are too deep.
    """
    for name, folders, files in os.walk(folder):
        here = Path(name)
        is_deep = not deep or len(here.relative_to(folder).parts) >= MAX_DEPTH
        entered = [] if is_deep else [n for n in folders if not (here / n).is_symlink()]
        for entry in sorted({*folders, *files} - {*entered}):
            path = here / entry
            if deep or entry in files:
                yield path.relative_to(folder).as_posix(), path, is_regular(path)
        folders[:] = sorted(entered)


# --- one submission -------------------------------------------------------------------------------


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
        carried: SHA-256 of the other files that were handed in, by their paths, sorted.
        carried_from: the folder that these are in.
        folder: that the notebook lies in; None where there is none.
        doubts: those of `review` that say why it is not certain which file counts.
    """

    student: str
    raw: bytes
    file: str
    timestamp: bytes | None = None
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    carried: Mapping[str, str] = field(default_factory=dict)
    carried_from: Path = Path()
    folder: Path | None = None
    doubts: tuple[str, ...] = ()


def find_submission(
    config: CourseConfig, assignment: str, student: str, released: NotebookNode | None = None
) -> Staged:
    """Read one student's submission from folders that may hold anything.

    Args:
        config: of the course.
        assignment: the lesson's name.
        student: the name of the student's folder.
        released: the notebook that students were to work in.
    """
    course, expected = config.course, f"{assignment}.ipynb"
    home = read_student_folder(course / "submitted" / student, [*source_names(course), assignment])
    folders = home.folders.get(assignment, [])
    if folders and folders[0].name == assignment and folders[0].is_symlink():
        return Staged(student, b"", expected, review=(messages.LINKED_FOLDER,))
    folders = [folder for folder in folders if not folder.is_symlink()]
    files = {f"../{p.name}": p for p in home.notebooks.get(assignment, [])}
    for folder in folders:
        beside = "" if folder.name == assignment else f"../{folder.name}/"
        files |= {f"{beside}{name}": p for name, p, is_file in walk_files(folder) if is_file}
    choice = choose_notebook(files, expected, assignment, _versions(course, assignment, released))
    folder = _folder_of(choice.path, folders, home.path)
    timestamp = find_timestamp(folder, config.clock)
    carried, left = _find_carried(folder, deep=folder != home.path)
    notes, doubts = list(choice.notes), choice.review
    beside = _handed_in_beside(course, assignment, carried)
    if beside and choice.path is None:
        notes.append(messages.NOT_OPENED.format(names=join_names(beside)))
    elif beside and choice.is_untouched and not doubts:
        shown = {"graded": one_line(choice.name), "names": join_names(beside)}
        doubts = (messages.WORK_BESIDE.format(**shown),)
    if left:
        notes.insert(0, messages.LEFT_BEHIND.format(names=join_names(left)))
    return Staged(
        student,
        choice.raw,
        choice.name,
        timestamp.plain,
        tuple(notes),
        (*doubts, *filter(None, [timestamp.problem])),
        carried,
        folder,
        choice.path and choice.path.parent,
        doubts,
    )


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


def _handed_in_beside(course: Path, assignment: str, carried: Iterable[str]) -> list[str]:
    """Return the files beside the notebooks that may hold work.

    What nbgrader adds, what students were given, and hidden files hold none.
    """
    given = [course / step / assignment for step in ("source", "release")]
    return [
        name
        for name in carried
        if not any((folder / name).exists() for folder in given)
        and not is_hidden(name)
        and Path(name).name != SECRET
        and ".ipynb" not in Path(name).name.lower()
    ]


def _find_carried(folder: Path, *, deep: bool) -> tuple[dict[str, str], list[str]]:
    """Return the SHA-256 of what lies beside the notebooks and the timestamp, and what is left.

    Links are left: they may lead anywhere.
    """
    digests: dict[str, str] = {}
    left: list[str] = []
    for name, path, is_file in walk_files(folder, deep=deep):
        parts = Path(name).parts
        if parts[0] == TIMESTAMP or any(part.endswith(".ipynb") for part in parts):
            continue
        try:
            if not is_file:
                raise OSError
            with path.open("rb") as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            left.append(name)
    return {name: digests[name] for name in sorted(digests, key=Path)}, sorted(left)


# --- the copy -------------------------------------------------------------------------------------


def write_copy(course: Path, assignment: str, staged: Staged) -> None:
    """Replace the copy of a submission by a new one, whole or not at all.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    staging = course / STAGING
    target = staging / staged.student / assignment
    staging.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=staging, prefix=".") as unfinished:
        temporary = Path(unfinished, assignment)
        temporary.mkdir()
        # Written even when empty: grading then makes a notebook that says so.
        (temporary / f"{assignment}.ipynb").write_bytes(staged.raw)
        if staged.timestamp is not None:
            (temporary / TIMESTAMP).write_bytes(staged.timestamp)
        for path in staged.carried:
            (temporary / path).parent.mkdir(parents=True, exist_ok=True)
            # A file that was collected again in the meantime is recorded by the next run.
            with contextlib.suppress(FileNotFoundError):
                source = staged.carried_from / path
                shutil.copyfile(source, temporary / path, follow_symlinks=False)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(temporary, target)


def clear_leftovers(course: Path) -> None:
    """Remove unfinished files of a killed grader; the caller holds the course's lock."""
    staging = course / STAGING
    for folder in (staging, course / FOLDER, course, *course.glob(f"{BY_HAND}/*")):
        clear_unfinished(folder)
    for path in staging.glob(".*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
