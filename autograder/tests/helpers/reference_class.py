"""A small class that was graded undisturbed: what every disturbed run must come to, too."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.demo import submit
from autograder.grading.store import Store
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, exports, start_autograder

STORE = Path(".autograder", "results.jsonl")


@dataclass(frozen=True)
class Reference:
    """A class before it was graded, and what an undisturbed run made of it.

    Attributes:
        before: the course folder with everything handed in and nothing graded.
        after: the same folder graded.
        exports: what nbgrader exports of it.
        seconds: from the grader's first words to its end.
    """

    before: Path
    after: Path
    exports: dict[str, bytes]
    seconds: float


def graded(course: Path) -> float:
    """Grade undisturbed; seconds from the first line on."""
    with start_autograder("grade", course, ASSIGNMENT) as process:
        assert process.stdout is not None
        assert "Sandbox" in process.stdout.readline()
        started = time.monotonic()
        rest, _ = process.communicate()
    assert process.returncode == NEEDS_REVIEW, rest  # the notebook that cannot be read
    return time.monotonic() - started


def known_only(reference: Reference, target: Path) -> Path:
    """A copy of the course that holds the results of the reference run, and nothing recorded."""
    shutil.copytree(reference.before, target)
    shutil.copy(reference.after / STORE, target / STORE)
    return target


def _files(course: Path) -> set[Path]:
    """The files of a course, without the locks: whether one is left behind does not matter."""
    return {p.relative_to(course) for p in course.rglob("*") if p.suffix != ".lock"}


def check(course: Path, reference: Reference) -> None:
    """What a course that was graded to the end must look like, whatever came before."""
    assert exports(course) == reference.exports
    assert _files(course) == _files(reference.after)
    store = Store(course / STORE)
    assert len(store) == 2
    lines = (course / STORE).read_bytes().splitlines()
    assert sum(line.endswith(b"}") for line in lines) == 2  # no submission was graded twice
    table = f"{ASSIGNMENT}.csv"
    assert (course / table).read_bytes() == (reference.after / table).read_bytes()


def grade_undisturbed(released: Path, folder: Path) -> Reference:
    """Hand in a right, an unsolved and an unreadable notebook, and grade them."""
    before, after = folder / "before", folder / "course"
    shutil.copytree(released, before)
    submit(before, ASSIGNMENT, "ada", RIGHT)
    submit(before, ASSIGNMENT, "bela", None)
    submit(before, ASSIGNMENT, "cut", RIGHT).write_text("{")
    for student in ("ada", "bela"):
        late = before / "submitted" / student / ASSIGNMENT / "timestamp.txt"
        late.write_text("2026-11-20 20:30:00 UTC\n")
    (before / ".autograder").mkdir(exist_ok=True)
    # The same draws in all runs; by luck a draw could tell what another one does not.
    (before / ".autograder" / "key.json").write_text('{"schema": 1, "key": 1234567}')
    shutil.copytree(before, after)
    seconds = graded(after)
    reference = Reference(before, after, exports(after), seconds)
    check(after, reference)
    return reference
