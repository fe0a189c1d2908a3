"""nbgrader's whole exchange around `autograder grade`, to the feedback that students fetch."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.command import run
from autograder.classroom.demo import submit
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, all_graded, nbgrader

SECRET, TIMESTAMP = "submission_secret.txt", "timestamp.txt"
WRONG = RIGHT.replace("+ 1", "+ 2")


def succeed(folder: Path, *arguments: str) -> None:
    done = nbgrader(folder, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def student_of(course: Path, exchange: Path, name: str) -> Path:
    """A student's own folder, with a cache of its own as on another machine."""
    folder = exchange.parent / name
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text(
        "c = get_config()\n"
        f"c.CourseDirectory.course_id = {course.name!r}\n"
        f"c.CourseDirectory.student_id = {name!r}\n"
        f"c.Exchange.root = {str(exchange)!r}\n"
        f"c.Exchange.cache = {str(folder / 'cache')!r}\n"
    )
    return folder


def solve(folder: Path, solution: str) -> None:
    path = folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == f"{ASSIGNMENT}-solution":
            cell["source"] = solution
    nbformat.write(notebook, path)


def carried(course: Path, student: str, step: str = "autograded") -> dict[str, bytes]:
    """All files of a submission but notebooks and pages, by path."""
    folder = course / step / student / ASSIGNMENT
    files = (p for p in folder.rglob("*") if p.is_file() and p.suffix not in (".ipynb", ".html"))
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


@pytest.mark.slow
def test_from_release_to_fetched_feedback(course, tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.Exchange.root = {str(exchange)!r}\n")
    succeed(course, "release_assignment", ASSIGNMENT)
    marks = {"ada": (RIGHT, "9 / 9"), "bela": (WRONG, "/ 9")}
    folders = {name: student_of(course, exchange, name) for name in marks}
    for name, folder in folders.items():
        succeed(folder, "fetch_assignment", ASSIGNMENT)
        solve(folder, marks[name][0])
        (folder / ASSIGNMENT / "notes").mkdir()
        (folder / ASSIGNMENT / "notes" / "mine.txt").write_text(f"{name}'s notes")
        succeed(folder, "submit", ASSIGNMENT)
    succeed(course, "collect", ASSIGNMENT)
    submitted = {name: carried(course, name, "submitted") for name in marks}
    assert all({SECRET, TIMESTAMP, "notes/mine.txt"} <= set(files) for files in submitted.values())

    assert run(course, [ASSIGNMENT]) == all_graded()
    assert {name: carried(course, name) for name in marks} == submitted
    succeed(course, "generate_feedback", ASSIGNMENT)
    succeed(course, "release_feedback", ASSIGNMENT)
    for name, folder in folders.items():
        succeed(folder, "fetch_feedback", ASSIGNMENT)
        (page,) = (folder / ASSIGNMENT / "feedback").rglob("*.html")
        assert page.parent.name == submitted[name][TIMESTAMP].decode()
        assert marks[name][1] in page.read_text()
    own = (folders["bela"] / ASSIGNMENT / "feedback").rglob("*.html")
    assert "9 / 9" not in next(own).read_text()

    # Handed in again: another secret, which the feedback is filed under.
    solve(folders["bela"], RIGHT)
    succeed(folders["bela"], "submit", ASSIGNMENT)
    succeed(course, "collect", ASSIGNMENT, "--update")
    again = carried(course, "bela", "submitted")
    assert again[SECRET] != submitted["bela"][SECRET]
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert carried(course, "bela") == again
    succeed(course, "generate_feedback", ASSIGNMENT)
    succeed(course, "release_feedback", ASSIGNMENT)
    succeed(folders["bela"], "fetch_feedback", ASSIGNMENT)
    pages = sorted((folders["bela"] / ASSIGNMENT / "feedback").rglob("*.html"))
    assert ["9 / 9" in page.read_text() for page in pages] == [False, True]


def hand_in(course: Path, student: str) -> dict[str, bytes]:
    """Hand in a right notebook, with what the exchange and the student add."""
    folder = submit(course, ASSIGNMENT, student, RIGHT).parent
    (folder / SECRET).write_bytes(b"5ec7e7")
    (folder / TIMESTAMP).write_bytes(b"2026-11-20 20:30:00.123456 UTC")  # no line feed
    (folder / "data").mkdir()
    (folder / "data" / "my counts.csv").write_bytes(b"1,2\r\n")
    (folder / os.fsdecode(b"\xff.txt")).write_bytes(b"\x00")
    return carried(course, student, "submitted")


@pytest.mark.slow
def test_grading_again_keeps_what_was_handed_in(course):
    """In turns with nbgrader's own command, whatever is graded again."""
    expected = hand_in(course, "ada")
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert carried(course, "ada") == expected
    for force in (False, True):
        succeed(course, "autograde", ASSIGNMENT, *(["--force"] if force else []))
        assert carried(course, "ada") == expected
        assert run(course, [ASSIGNMENT], force=force) == all_graded()
        assert carried(course, "ada") == expected
    # The same notebook with another secret, as when it is handed in again.
    (course / "submitted" / "ada" / ASSIGNMENT / SECRET).write_bytes(b"another")
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert carried(course, "ada") == {**expected, SECRET: b"another"}
    (course / "submitted" / "ada" / ASSIGNMENT / "data" / "my counts.csv").unlink()
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert set(carried(course, "ada")) == {*expected} - {"data/my counts.csv"}
