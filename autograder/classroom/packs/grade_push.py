"""Grades one notebook on GitHub: `python -m autograder.classroom.packs.grade_push LESSON NOTEBOOK`.

The workflow that `autograder pack github` writes calls it after each push. It judges on the public
inputs, in the student's own repository: its marks are provisional.
"""

from __future__ import annotations

import base64
import html
import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from autograder.classroom.packs import messages
from autograder.classroom.packs.notebook_lines import find_lines
from autograder.grading.apart import read_if_possible
from autograder.grading.pipeline import grade_or_refuse, grade_submission, prepare
from autograder.grading.read import read_file
from autograder.grading.repair import unreadable
from autograder.judge.client import shared_judge
from autograder.lessons.authoring import build_exercise
from autograder.lessons.course import the_course
from autograder.model.finding import Severity
from autograder.model.graded import Graded
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.printable import printable
from autograder.model.public_rubric import public_file, read_public
from autograder.model.report import CriterionResult, Report
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms
from autograder.render import remark, text_card
from autograder.render.words import merge_alike, message_of
from autograder.sandbox import Processes, shared_workers

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}
"""How texts are escaped: `packages/core/src/command.ts` of https://github.com/actions/toolkit"""

_VERSION = 1
"""Of Classroom's format of results."""


def grade_notebook(lesson: str, path: Path) -> Graded:
    """Grade a student's notebook on the public inputs.

    Raises:
        autograder.model.exercise.RubricError: no such lesson.
    """
    shared_workers().launch()
    shared_judge().launch()  # they get ready while the notebook is read
    rubric, released = _find(lesson, path.parent)
    if path.is_file():
        repaired = prepare(read_file(path), path.name, released, shown=False, folder=path.parent)
    else:
        text = messages.NOTEBOOK_GONE.format(name=path.name)
        repaired = unreadable(text, released or nbformat.v4.new_notebook())
    terms = Terms(rubric, shared_judge())
    worker = Processes(workers=shared_workers())
    return grade_or_refuse(partial(grade_submission, repaired, path.name, terms, worker), terms)


def _find(lesson: str, folder: Path) -> tuple[Rubric, NotebookNode | None]:
    """Return a lesson's rubric and its notebook as released.

    Of a lesson that is not the kit's, there is only what students get: a file of data.
    """
    public = public_file(folder, lesson)
    if public.is_file():
        return read_public(public), None
    course = the_course()
    found = course.lesson(lesson)
    rubric = course.rubric(lesson)
    assert found is not None  # a wheel of the kit holds the lessons of all its rubrics
    return rubric, build_exercise(found)


# --- for GitHub Classroom -------------------------------------------------------------------------


def classroom_result(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the result of one lesson; what is still open is left out, as it has no mark.

    The action `classroom-resources/autograding-grading-reporter` adds such results up:
    `src/notify-classroom.js` sums the `score` of all tests and the `max_score` of all results, and
    `src/console-results.js` prints them
    (https://github.com/classroom-resources/autograding-grading-reporter). The result holds no text
    of the submission's: the action prints it to a log, which GitHub reads for commands.
    """
    tests = [
        _test(report.exercise, criterion)
        for report in reports
        for criterion in report.criteria
        if not criterion.is_open
    ]
    statuses = {test["status"] for test in tests}
    if any(report.failed_by_kit for report in reports) or not tests:
        status = "error"
    else:
        status = "pass" if statuses == {"pass"} else "fail"
    possible = sum(report.possible for report in reports)
    return {"version": _VERSION, "status": status, "max_score": possible, "tests": tests}


def _test(exercise: str, criterion: CriterionResult) -> dict[str, Any]:
    return {
        "name": f"{exercise}: {criterion.name}",
        "status": "pass" if criterion.earned == criterion.possible else "fail",
        "score": criterion.earned,
        "message": remark(criterion),
        "test_code": "",
        "filename": "",
        "line_no": 0,  # the action's word for none
    }


def encoded(result: dict[str, Any]) -> str:
    """Return the result as a step's output holds it: JSON in base64 (`src/main.js`)."""
    return base64.b64encode(json.dumps(result).encode()).decode()


# --- for GitHub Actions ---------------------------------------------------------------------------


def annotate(reports: list[Report], path: Path) -> Iterator[str]:
    """Yield a command of GitHub's for each finding, errors first: it shows the first ten."""
    findings = [
        (report.exercise, criterion.name, finding)
        for report in reports
        for criterion in report.criteria
        for finding in merge_alike(criterion.findings)
    ]
    findings.sort(key=lambda f: f[2].severity != "error")
    asked = [(exercise, finding.line, finding.code) for exercise, _, finding in findings]
    raw = path.read_bytes() if path.is_file() else b""
    lines = read_if_possible(find_lines, asked, raw=raw) or [1] * len(asked)
    for (exercise, criterion, finding), line in zip(findings, lines, strict=True):
        title = f"{exercise}: {criterion}"
        yield annotation(finding.severity, str(path), line, title, message_of(finding))


def summary(report: Report) -> str:
    """Return the card for the run's page. Markdown reads nothing inside an escaped `<pre>`."""
    return f"<pre>{html.escape(text_card(report))}</pre>\n\n"


def annotation(level: Severity, file: str, line: int, title: str, message: str) -> str:
    """Return the command that shows a message beside a line of a file.

    The format: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    It is a single line, whatever the texts hold: no text can give a command of its own.
    """
    where = {"file": file, "line": str(line), "title": title}
    properties = ",".join(f"{name}={_escape(text, _PROPERTY)}" for name, text in where.items())
    return f"::{level} {properties}::{_escape(message, _DATA)}"


def _escape(text: str, table: dict[str, str]) -> str:
    return printable(text.replace("\r", "\n")).translate(str.maketrans(table))


def _append(variable: str, text: str) -> None:
    """Add text to a file that GitHub Actions names; does nothing elsewhere."""
    path = os.environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)


def main(lesson: str, path: Path) -> None:
    """Grade a notebook, and report to GitHub and the student."""
    reports = list(grade_notebook(lesson, path).reports)
    for line in annotate(reports, path):
        print(line)
    for report in reports:
        print(f"{report.exercise}: {report.mark()}, {messages.PROVISIONAL}")
        _append("GITHUB_STEP_SUMMARY", summary(report))
    _append("GITHUB_OUTPUT", f"result={encoded(classroom_result(reports))}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
