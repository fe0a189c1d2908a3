"""Where students have put what they hand in: in a folder with the assignment's name, or nearly so.

nbgrader expects ``submitted/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb``. A folder whose name differs in
case, and a notebook that lies directly in the student's folder, are found too. All else is named.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.grading import readings
from autograder.grading.apart import read_if_possible
from autograder.grading.read import read_file

MAX_DEPTH = 50
"""Depth of nested folders; nbgrader's own recursive copy fails at some hundreds."""

_NOTEBOOK = re.compile(r"\.ipynb(\.\w+)?", re.IGNORECASE)


def is_regular(path: Path) -> bool:
    """Whether a path is a regular file: no link, which may lead anywhere, and no pipe."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def student_folders(course: Path) -> list[Path]:
    """Return the students' folders, sorted."""
    return [path for path in _entries(course / "submitted") if _is_folder(path)]


def assignment_folders(course: Path, student: str, assignment: str) -> list[Path]:
    """Return a student's folders for an assignment, the one with its very name first.

    A link counts: where it leads is not looked at.
    """
    named = [
        path
        for path in _entries(course / "submitted" / student)
        if path.name.casefold() == assignment.casefold() and path.is_dir()
    ]
    return sorted(named, key=lambda path: path.name != assignment)


def loose_notebooks(course: Path, student: str, assignment: str) -> list[Path]:
    """Return the notebooks of an assignment that lie directly in a student's folder."""
    there = (p for p in _entries(course / "submitted" / student) if _is_notebook(p))
    names = source_folders(course)
    return [path for path in there if _lesson_of(path, names) == assignment]


def students_of(course: Path, assignment: str) -> list[str]:
    """Return the students who have handed in something for the assignment, sorted."""
    return [
        folder.name
        for folder in student_folders(course)
        if assignment_folders(course, folder.name, assignment)
        or loose_notebooks(course, folder.name, assignment)
    ]


def assignments_of(course: Path) -> set[str]:
    """Return the assignments that students have handed in, and the names of all other folders."""
    names = source_folders(course)
    found = set()
    for folder in student_folders(course):
        for path in _entries(folder):
            if path.is_dir():
                found.add(_assignment_named(path.name, names) or path.name)
            elif _is_notebook(path) and (lesson := _lesson_of(path, names)):
                found.add(lesson)
    return found


def strange_folders(course: Path) -> list[str]:
    """Return folders that are named like no assignment, relative to the course."""
    names = source_folders(course)
    folders = [p for s in student_folders(course) for p in _entries(s) if p.is_dir()]
    strange = [p for p in folders if p.name[0] != "." and not _assignment_named(p.name, names)]
    return _relative(strange, course)


def strange_notebooks(course: Path, assignments: Collection[str] = ()) -> list[str]:
    """Return notebooks that belong to no submission, relative to the course.

    They lie in no student's folder, or directly in one, where nothing says which assignment is
    meant.

    Args:
        course: its folder.
        assignments: only notebooks that may be for these; default: all.
    """
    names, submitted = source_folders(course), course / "submitted"
    nobodys = [
        (path, _lesson_of(path, names)) for path in _entries(submitted) if _is_notebook(path)
    ]
    found = [p for p, lesson in nobodys if not assignments or lesson in (*assignments, "")]
    loose = [p for s in student_folders(course) for p in _entries(s) if _is_notebook(p)]
    return _relative(found + [p for p in loose if not _lesson_of(p, names)], course)


def _relative(paths: list[Path], course: Path) -> list[str]:
    ordered = sorted(paths, key=lambda path: (path.name, str(path)))
    return [str(path.relative_to(course)) for path in ordered]


def source_folders(course: Path) -> list[str]:
    """Return the names of the assignments in a course, sorted."""
    return [path.name for path in _entries(course / "source") if path.is_dir()]


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


def _entries(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_notebook(path: Path) -> bool:
    named = _NOTEBOOK.search(path.name) is not None and not path.name.startswith(".")
    return named and is_regular(path)


def _assignment_named(name: str, names: Collection[str]) -> str:
    if name in names:
        return name
    return next((n for n in names if n.casefold() == name.casefold()), "")


def _lesson_of(path: Path, names: Collection[str]) -> str:
    """Return the assignment that a notebook is for: as it says itself, else by its name."""
    try:
        said = read_if_possible(readings.lesson_of, raw=read_file(path))
    except OSError:
        return ""
    if said:
        return said if said in names else ""
    stem = _NOTEBOOK.split(path.name)[0].casefold()
    fitting = [
        name
        for name in names
        if stem.startswith(name.casefold()) and not stem[len(name) :][:1].isalnum()
    ]
    return max(fitting, key=len, default="")
