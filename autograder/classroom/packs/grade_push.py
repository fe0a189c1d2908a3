"""Grades one notebook on GitHub: `python -m autograder.classroom.packs.grade_push LESSON NOTEBOOK`.

The workflow that `autograder pack github` writes calls it after each push. It judges on the public
inputs, in the student's own repository: its marks are provisional.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from autograder.classroom.packs import messages
from autograder.classroom.packs.classroom_result import classroom_result, encoded
from autograder.classroom.packs.notebook_lines import find_lines
from autograder.classroom.packs.workflow_commands import add_summary, annotation, set_output
from autograder.grading.apart import OutOfLimits, read_apart
from autograder.grading.pipeline import grade_submission, prepare, refuse_by_kit
from autograder.grading.read import read_file
from autograder.grading.repair import Repaired, unreadable
from autograder.grading.run import Processes
from autograder.grading.store import Graded, grade_with_retry
from autograder.grading.terms import Terms
from autograder.judge.client import shared_judge
from autograder.lessons.authoring import build_exercise
from autograder.lessons.course import the_course
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.public_rubric import public_file, read_public
from autograder.model.report import Report
from autograder.model.rubric import Rubric
from autograder.render import markdown_card
from autograder.render.words import merge_alike, message_of
from autograder.sandbox import shared_workers


def grade_notebook(lesson: str, path: Path) -> Graded:
    """Grade a student's notebook on the public inputs.

    Raises:
        autograder.model.exercise.RubricError: no such lesson.
    """
    shared_workers().launch()  # they get ready while the notebook is read
    rubric, released = _find(lesson, path.parent)
    if path.is_file():
        repaired = prepare(read_file(path), path.name, released, shown=False, folder=path.parent)
    else:
        text = messages.NOTEBOOK_GONE.format(name=path.name)
        repaired = unreadable(text, released or nbformat.v4.new_notebook())
    return grade_with_retry(partial(_grade, repaired, path.name, rubric))


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


def _grade(repaired: Repaired, name: str, rubric: Rubric) -> Graded:
    terms = Terms(rubric, shared_judge())
    try:
        return grade_submission(repaired, name, terms, Processes(workers=shared_workers()))
    except Exception as error:  # of the kit: no submission is to blame
        return refuse_by_kit(error, terms)


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
    try:
        raw = path.read_bytes() if path.is_file() else b""
        lines = read_apart(find_lines, asked, raw=raw)
    except OutOfLimits:
        lines = [1] * len(asked)
    for (exercise, criterion, finding), line in zip(findings, lines, strict=True):
        title = f"{exercise}: {criterion}"
        yield annotation(finding.severity, str(path), line, title, message_of(finding))


def main(lesson: str, path: Path) -> None:
    """Grade a notebook, and tell GitHub and the student."""
    reports = list(grade_notebook(lesson, path).reports)
    for line in annotate(reports, path):
        print(line)
    for report in reports:
        print(f"{report.exercise}: {report.mark()}, {messages.PROVISIONAL}")
        add_summary(markdown_card(report))
    set_output("result", encoded(classroom_result(reports)))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
