"""A class with submissions that are made to keep their reader busy: it goes on, and names them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO

import pytest
from rich.console import Console

from autograder.classroom.assignment import open_assignments
from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import read_config
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.demo import submit
from autograder.classroom.gradebook import read_totals
from autograder.classroom.marks import Outcome
from autograder.classroom.report_command import write_report
from autograder.grading import apart
from autograder.grading.apart import Reader
from autograder.model.report import Status
from autograder.tests.helpers import exhausting
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, scores

SOURCES = ("bases of classes", "names of classes")
NOTEBOOKS = ("a file of nested lists", "deeply nested metadata", "links")


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """The reader of this process has half a second for each reading."""
    reader = Reader(seconds=0.5)
    monkeypatch.setattr(apart, "_shared", reader)
    yield reader
    reader.close()


def known(course) -> dict[str, Outcome]:
    (opened,) = open_assignments(CourseGrader(read_config(course)), [ASSIGNMENT])
    return {
        o.student: o for o in opened.known_outcomes(read_totals(read_config(course), ASSIGNMENT))
    }


@pytest.mark.slow
def test_the_class_goes_on(course, strict) -> None:
    submit(course, ASSIGNMENT, "ada", RIGHT)
    path = submit(course, ASSIGNMENT, "slow", RIGHT)
    notebook = json.loads(path.read_text())
    more = {"cell_type": "code", "id": "more", "metadata": {}, "source": exhausting.SLOW}
    notebook["cells"].insert(0, {**more, "outputs": [], "execution_count": None})
    path.write_text(json.dumps(notebook))
    for name in SOURCES:
        submit(course, ASSIGNMENT, name, f"{RIGHT}\n{exhausting.SOURCES[name]}")
    for name in NOTEBOOKS:
        path = submit(course, ASSIGNMENT, name, RIGHT)
        path.write_bytes(exhausting.NOTEBOOKS[name](json.loads(path.read_text())))
    printed = StringIO()
    status = run(course, [ASSIGNMENT], console=Console(file=printed, width=300))
    words = re.sub(r"\s+", " ", printed.getvalue())
    found, marks = known(course), scores(course)
    assert found["ada"].mark() == found["slow"].mark()
    assert marks["ada"] == marks["slow"] == (9.0, False)
    assert {c.evidence for c in found["ada"].criteria.values()} == {"proved"}
    assert {c.evidence for c in found["slow"].criteria.values()} == {"proved", "observed"}

    # The student whose source was not read to its end is named, with the reason.
    assert status == NEEDS_REVIEW
    why = "The code could not be read (reading it takes more than 0.5 s), so what was seen of it is"
    assert f"slow: static_branch: {why} only observed." in words
    write_report(course, ASSIGNMENT, console=Console(file=StringIO(), width=300))
    page = re.sub(r"\s+", " ", (course / f"{ASSIGNMENT}.html").read_text())
    assert f"static_branch: {why}" in page

    # Code that works keeps its points; a file that cannot be read waits for a person.
    for name in (*SOURCES, *NOTEBOOKS):
        (report,) = found[name].reports
        assert report.status in (Status.PASSED, Status.NOT_GRADED), (name, report.status)
        if report.status is Status.NOT_GRADED:
            assert found[name].needs_review and marks[name] == (None, True), name
    assert found["links"].mark() == "9 / 9 (+2 pending)"  # its words may be an answer
    assert found["a file of nested lists"].mark() == (
        "could not be graded: the notebook could not be read"
    )
