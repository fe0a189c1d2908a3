"""A mark that nobody has decided waits for a person: in the gradebook, in reports, in exports."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.demo import submit
from autograder.classroom.gradescope import results
from autograder.classroom.lms_exports import final_points
from autograder.classroom.marks import (
    CellMark,
    Outcome,
    Totals,
    cells_to_decide,
    marks_of,
    reasons_to_review,
)
from autograder.classroom.packs.grade_push import classroom_result
from autograder.classroom.report_command import write_report
from autograder.grading.defence import defend
from autograder.model.graded import Graded
from autograder.model.notebook import Defence, Notebook
from autograder.model.reasons import CHECK_FIRST, ONLY_OBSERVED, OUTPUTS_FIRST, REASONS
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric_files import load_lesson
from autograder.model.terms import Terms
from autograder.sandbox import Processes
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, exports, gradebook_of, nbgrader

COULD_NOT = sorted(
    {*REASONS} - {ONLY_OBSERVED, OUTPUTS_FIRST, CHECK_FIRST, "kit-error", "judge-died"}
)
WHY = f"{ASSIGNMENT}-why"
ANSWER = "Hers makes a new program at every step; his friend's compiles once."
PENDING = (None, True)
MISSING = "could not be graded: the function is missing"


def result(name: str, status: Status, earned: float, reason: str = "") -> CriterionResult:
    return CriterionResult(name, status, earned, 3.0, "proved", reason)


def not_graded(reason: str, provisional: bool = False) -> Report:
    parts = [result(n, Status.NOT_GRADED, 0, reason) for n in ("outputs", "purity", "speed")]
    return Report("lesson", "f", tuple(parts), provisional)


RIGHT_ONE = Report("lesson", "g", (result("outputs", Status.PASSED, 3),), False)


@pytest.mark.parametrize("reason", [*COULD_NOT, "kit-error", "judge-died", "new-reason"])
def test_what_could_not_be_graded_is_no_mark_anywhere(reason):
    report = not_graded(reason)
    assert cells_to_decide(report) == {"f", "f_speed"}
    assert {mark.points for mark in marks_of(report).values()} == {None}
    assert (report.possible, report.pending, report.mark()) == (0, 9, "not graded")
    outcome = Outcome("ada", Graded((report, RIGHT_ONE)), tuple(reasons_to_review([report])))
    assert outcome.needs_review and outcome.review[0].startswith("f: ")
    assert outcome.totals.mark() == "3 / 3 (+9 pending)"
    assert final_points(replace(outcome, recorded=outcome.totals)) == ""
    tests = results(outcome)["tests"]
    assert [(t["score"], t["max_score"]) for t in tests] == [(0, 0)] * 3 + [(3, 3)]
    assert "3 points are not counted here" in tests[0]["output"]


def test_what_wrong_outputs_decide_is_decided():
    wrong = [result("outputs", Status.FAILED, 0)]
    wrong += [result(n, Status.NOT_GRADED, 0, OUTPUTS_FIRST) for n in ("purity", "speed")]
    report = Report("lesson", "f", tuple(wrong), False)
    assert not cells_to_decide(report)
    assert {mark.points for mark in marks_of(report).values()} == {0}
    assert report.mark() == "0 / 9" and not reasons_to_review([report])


def test_a_learner_has_nobody_to_wait_for():
    report = not_graded("missing-function", provisional=True)
    assert report.mark() == "0 / 9" and report.pending == 0
    on_github = classroom_result([report])  # provisional, as all marks there
    assert (on_github["status"], on_github["max_score"]) == ("fail", 9)


def test_a_defence_waits_with_its_check(judge):
    rubric = load_lesson(ASSIGNMENT)
    checked = replace(not_graded("cell-failed"), exercise=rubric.defended.name)
    notebook, reports = Notebook(ASSIGNMENT, ()), {checked.exercise: checked}
    asked = defend(notebook, Defence("", 2.0), reports, Terms(rubric, judge), Processes())
    assert {mark.points for mark in marks_of(asked).values()} == {None}


def test_a_mark_for_the_check_alone_does_not_settle_the_speed():
    report = not_graded("missing-function")
    outcome = Outcome("ada", Graded((report,)), tuple(reasons_to_review([report])))
    given = CellMark("f", 2.0, 6, by_hand=True)
    waits = CellMark("f_speed", None, 3, needs_manual_grade=True)
    assert outcome.with_recorded(Totals((given, waits))).needs_review
    both = outcome.with_recorded(Totals((given, CellMark("f_speed", 0.0, 3, by_hand=True))))
    assert not both.needs_review


def test_a_mark_for_what_was_only_observed_settles_it_while_the_speed_waits_for_a_gpu():
    parts = (
        result("outputs", Status.PASSED, 3),
        result("purity", Status.PENDING, 0, ONLY_OBSERVED),
        result("speed", Status.PENDING, 0, "needs a GPU"),
    )
    report = Report("lesson", "f", parts, False)
    assert cells_to_decide(report) == {"f"}
    outcome = Outcome("ada", Graded((report,)), tuple(reasons_to_review([report])))
    waits = CellMark("f_speed", None, 3, needs_manual_grade=True)
    seen = outcome.with_recorded(Totals((CellMark("f", None, 6, False, True), waits)))
    assert seen.review and [c.name for c in seen.waiting] == ["f"]
    seen = outcome.with_recorded(Totals((CellMark("f", 6.0, 6, by_hand=True), waits)))
    assert not seen.needs_review


def hand_in(course: Path, student: str, solution: str | None, *added: Any) -> Path:
    path = submit(course, ASSIGNMENT, student, solution)
    notebook = nbformat.read(path, as_version=4)
    notebook["cells"] += added
    nbformat.write(notebook, path)
    return path


def recorded(course: Path, student: str) -> dict[str, tuple[float | None, bool]]:
    """The automatic mark and nbgrader's flag of the check cell and of the answer."""
    with gradebook_of(course) as gradebook:
        (notebook,) = gradebook.find_submission(ASSIGNMENT, student).notebooks
        grades = {g.name: (g.auto_score, g.needs_manual_grade) for g in notebook.grades}
    return {name: grades[name] for name in (ASSIGNMENT, WHY)}


def give(course: Path, student: str, cell: str, points: float) -> None:
    with gradebook_of(course) as gradebook:
        grade = gradebook.find_grade(cell, ASSIGNMENT, ASSIGNMENT, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def rows_of(path: Path, part: str = "") -> dict[str, dict[str, str]]:
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row.get("exercise", part) == part]
    return {row["student_id"]: row for row in rows}


def hand_in_what_nobody_can_grade(course: Path) -> None:
    hand_in(course, "cell", "one = 1 / 0\n" + RIGHT.replace("counts + 1", "counts + one"))
    hand_in(course, "missing", RIGHT.replace("box_cox", "boxcox"))
    hand_in(course, "thing", "box_cox = 3")
    empty = hand_in(course, "nothing", None)
    nbformat.write(nbformat.v4.new_notebook(), empty)
    hand_in(course, "cut", RIGHT).write_text("{")


ALL_WAIT = {ASSIGNMENT: PENDING, WHY: PENDING}
CODE_WAITS = {ASSIGNMENT: PENDING, WHY: (0, False)}
GRADEBOOK = {
    "cell": CODE_WAITS,
    "missing": CODE_WAITS,
    "thing": CODE_WAITS,
    "nothing": ALL_WAIT,
    "cut": ALL_WAIT,
}


@pytest.mark.slow
def test_code_that_could_not_be_graded(course, tmp_path, capsys):
    hand_in_what_nobody_can_grade(course)
    hand_in(course, "starter", None)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert {who: recorded(course, who) for who in GRADEBOOK} == GRADEBOOK
    assert recorded(course, "starter") == {ASSIGNMENT: (0, False), WHY: (0, False)}
    printed = capsys.readouterr().out
    assert "5 of 6 submissions need your review" in printed
    assert f"missing: {ASSIGNMENT}: {MISSING}" in printed
    assert f"{WHY}, 2 points to give in formgrader: cut, nothing" in printed
    write_report(course, ASSIGNMENT, gradescope=tmp_path)
    rows = rows_of(course / f"{ASSIGNMENT}.csv")
    assert {rows[who]["earned"] for who in GRADEBOOK} == {""}
    assert (rows["starter"]["earned"], rows["starter"]["review"]) == ("0", "")
    data = json.loads((tmp_path / "missing" / "results.json").read_text())
    assert data["visibility"] == "hidden" and data["extra_data"]["graded"] is False
    exports(course)
    rows = rows_of(course / "criteria.csv", ASSIGNMENT)
    for who in GRADEBOOK:
        names = ("score", "assignment_score", "earned")
        assert [rows[who][name] for name in names] == [""] * 3
        assert rows[who]["status"].startswith("could not be graded")
    assert rows["starter"]["assignment_score"] == "0"
    card = course / "autograded" / "missing" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    assert "<b>not graded</b>" in card.read_text() and "0 / 9" not in card.read_text()

    give(course, "missing", ASSIGNMENT, 3.0)
    assert run(course, [ASSIGNMENT], force=True) == NEEDS_REVIEW
    assert recorded(course, "missing") == {ASSIGNMENT: (None, False), WHY: (0, False)}
    printed = capsys.readouterr().out
    assert "4 of 6 submissions need your review" in printed and "3 / 11" in printed
    # Another helper above the function is another thing than what was marked.
    missing = course / "submitted" / "missing" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    notebook = nbformat.read(missing, as_version=4)
    notebook["cells"].insert(0, nbformat.v4.new_code_cell("helper = 1"))
    nbformat.write(notebook, missing)
    # What is decided now waits for nobody.
    (course / "submitted" / "thing" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").unlink()
    (course / "submitted" / "thing" / ASSIGNMENT).rmdir()
    hand_in(course, "thing", RIGHT)
    run(course, [ASSIGNMENT])
    assert recorded(course, "missing")[ASSIGNMENT] == (None, True)
    assert recorded(course, "thing") == {ASSIGNMENT: (9, False), WHY: (0, False)}


@pytest.mark.slow
def test_an_answer_that_may_stand_elsewhere(course, capsys):
    below = nbformat.v4.new_markdown_cell(ANSWER)
    hand_in(course, "below", RIGHT, below)
    hand_in(course, "comment", RIGHT, nbformat.v4.new_code_cell(f"# {ANSWER}"))
    hand_in(course, "silent", RIGHT)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    found = {ASSIGNMENT: (9, False), WHY: PENDING}
    assert {who: recorded(course, who) for who in ("below", "comment")} == {
        "below": found,
        "comment": found,
    }
    assert recorded(course, "silent") == {ASSIGNMENT: (9, False), WHY: (0, False)}
    printed = capsys.readouterr().out
    task = "the cell has no answer, but there is text in another one: below, comment"
    assert f"{WHY}, 2 points to give in formgrader: {task}" in printed
    assert "9 / 9 (+2 pending)" in printed and "9 / 11" in printed
    give(course, "below", WHY, 2.0)
    give(course, "comment", WHY, 1.0)
    assert run(course, [ASSIGNMENT], force=True) == 0
    done = nbgrader(course, "autograde", ASSIGNMENT, "--force", "--student", "below")
    assert done.returncode == 0, done.stderr
    assert recorded(course, "below")[WHY] == (None, False)
    # Other words, elsewhere, are another answer.
    path = course / "submitted" / "below" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook["cells"][-1]["source"] = "The other way round."
    nbformat.write(notebook, path)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert recorded(course, "below")[WHY] == (None, True)


@pytest.mark.slow
def test_nbgrader_autograde(course):
    hand_in_what_nobody_can_grade(course)
    hand_in(course, "below", RIGHT, nbformat.v4.new_markdown_cell(ANSWER))
    done = nbgrader(course, "autograde", ASSIGNMENT)
    assert done.returncode == 0, done.stderr
    assert {who: recorded(course, who) for who in GRADEBOOK} == GRADEBOOK
    assert recorded(course, "below") == {ASSIGNMENT: (9, False), WHY: PENDING}
