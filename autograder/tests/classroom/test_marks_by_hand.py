"""Answers in words and marks given by hand: in all totals, and who is asked to confirm."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import show_key
from autograder.classroom.demo import submit
from autograder.classroom.report_command import write_report
from autograder.nbgrader_bridge.save import MarkMemory
from autograder.tests.helpers.courses import (
    ASSIGNMENT,
    RIGHT,
    all_graded,
    exports,
    gradebook_of,
    nbgrader,
)

WHY = f"{ASSIGNMENT}-why"
WORDS = "A traced value has no truth value."
IMPURE = RIGHT.replace("    if power", "    print(power)\n    if power")


def hand_in_again(course: Path, student: str, solution: str, answer: str | None) -> None:
    (course / "submitted" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").unlink()
    (course / "submitted" / student / ASSIGNMENT).rmdir()
    submit(course, ASSIGNMENT, student, solution, answer)


def mark(course: Path, student: str, cell: str, points: float) -> None:
    """As formgrader saves it."""
    with gradebook_of(course) as gradebook:
        grade = gradebook.find_grade(cell, ASSIGNMENT, ASSIGNMENT, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def asks(course: Path, student: str) -> dict[str, bool]:
    with gradebook_of(course) as gradebook:
        (notebook,) = gradebook.find_submission(ASSIGNMENT, student).notebooks
        asked = {grade.name: grade.needs_manual_grade for grade in notebook.grades}
    assert not asked.pop(f"{ASSIGNMENT}_defence")  # it has no points here
    return asked


def rows_of(path: Path, part: str = "") -> dict[str, dict[str, str]]:
    """By student; of an exercise or an answer, where the table has a row for each."""
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row.get("exercise", part) == part]
    return {row["student_id"]: row for row in rows}


SUMS = ("earned", "possible", "pending", "max_score")


def sums(row: dict[str, str]) -> tuple[float, ...]:
    return tuple(float(row[name]) for name in SUMS)


@pytest.mark.slow
def test_totals_are_nbgraders(course, tmp_path, capsys):
    submit(course, ASSIGNMENT, "ada", RIGHT, WORDS)
    submit(course, ASSIGNMENT, "bela", IMPURE, WORDS)
    submit(course, ASSIGNMENT, "cy", RIGHT)  # says nothing: nbgrader gives 0
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    printed = capsys.readouterr().out
    assert (
        "9 / 9 (+2 pending)" in printed and "7 / 9 (+2 pending)" in printed and "9 / 11" in printed
    )
    assert "of 11" in printed
    assert "2 of 3 submissions need your review" in printed
    assert f"{WHY}, 2 points to give in formgrader: ada, bela" in printed
    table = rows_of(course / f"{ASSIGNMENT}.csv")
    assert sums(table["ada"]) == (9, 9, 2, 11) and sums(table["cy"]) == (9, 11, 0, 11)
    assert [table[who][WHY] for who in ("ada", "cy")] == ["pending", "0"]
    assert (table["ada"]["status"], table["cy"]["status"]) == ("needs manual grade", "graded")
    assert WHY in table["bela"]["review"] and table["cy"]["review"] == ""

    mark(course, "ada", WHY, 2.0)
    mark(course, "bela", WHY, 1.5)
    mark(course, "bela", ASSIGNMENT, 8.0)
    page = write_report(course, ASSIGNMENT, gradescope=tmp_path / "gradescope").read_text()
    printed = capsys.readouterr().out
    assert "11 / 11" in printed and "9.5 / 11" in printed and "pending" not in printed
    assert "<b>0</b>need your review" in page and "mean mark of 11" in page
    assert f"<th>{WHY}<br><small>of 2</small></th>" in page and 'title="1.5 of 2"' in page
    table = rows_of(course / f"{ASSIGNMENT}.csv")
    assert sums(table["bela"]) == (9.5, 11, 0, 11)
    assert (table["bela"]["static_branch.purity"], table["bela"][WHY]) == ("0", "1.5")
    data = json.loads((tmp_path / "gradescope" / "bela" / "results.json").read_text())
    assert data["score"] == 9.5 and data["output"].startswith("9.5 / 11")
    answer = data["tests"][-1]
    assert (answer["name"], answer["score"], answer["max_score"]) == (WHY, 1.5, 2)
    # All known now: grading again shows the same, and asks nobody.
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert "9.5 / 11" in capsys.readouterr().out

    found = exports(course)
    assert exports(course) == found
    grades = rows_of(course / "grades.csv")
    answers = rows_of(course / "criteria.csv", WHY)
    exercises = rows_of(course / "criteria.csv", ASSIGNMENT)
    for who in ("ada", "bela", "cy"):
        assert float(answers[who]["assignment_score"]) == float(grades[who]["score"])
        assert float(answers[who]["assignment_max_score"]) == float(grades[who]["max_score"])
        together = float(answers[who]["score"]) + float(exercises[who]["score"])
        assert together == float(grades[who]["score"])
    assert sums(answers["bela"]) == (1.5, 2, 0, 2)
    assert (exercises["bela"]["earned"], exercises["bela"]["score"]) == ("7", "8")


@pytest.mark.slow
def test_what_waits_is_in_the_page_and_the_export(course, tmp_path):
    submit(course, ASSIGNMENT, "ada", RIGHT, WORDS)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    page = write_report(course, ASSIGNMENT, gradescope=tmp_path).read_text()
    assert "<b>1</b>need your review" in page and "<b>1</b>with points pending" in page
    assert f"{WHY}, 2 points to give in formgrader: <b>ada</b>" in page
    data = json.loads((tmp_path / "ada" / "results.json").read_text())
    assert (data["score"], data["extra_data"]["pending"]) == (9, 2)
    assert data["tests"][-1]["name"] == f"{WHY} (not marked yet)"
    assert (data["tests"][-1]["score"], data["tests"][-1]["max_score"]) == (0, 0)
    assert data["tests"][-1]["output"].startswith("2 points are not counted here: a person marks")
    exports(course)
    row = rows_of(course / "criteria.csv", WHY)["ada"]
    assert (row["status"], row["score"], row["pending"]) == ("needs manual grade", "", "2")
    # Without a gradebook, what only people mark is pending too.
    (course / "gradebook.db").unlink()
    write_report(course, ASSIGNMENT)
    assert sums(rows_of(course / f"{ASSIGNMENT}.csv")["ada"]) == (9, 9, 2, 11)
    assert not (course / "gradebook.db").exists()


@pytest.mark.slow
def test_points_off_for_lateness_are_off_the_total(course):
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    with gradebook_of(course) as gradebook:
        gradebook.update_or_create_assignment(ASSIGNMENT, duedate="2026-11-19 12:00:00 UTC")
    path = submit(course, ASSIGNMENT, "ada", RIGHT)
    (path.parent / "timestamp.txt").write_text("2026-11-20 20:30:00 UTC")
    run(course, [ASSIGNMENT])
    exports(course)
    assert float(rows_of(course / "grades.csv")["ada"]["score"]) == 0
    assert sums(rows_of(course / f"{ASSIGNMENT}.csv")["ada"]) == (0, 11, 0, 11)
    assert rows_of(course / "criteria.csv", ASSIGNMENT)["ada"]["assignment_score"] == "0"


def autograde(course: Path) -> None:
    done = nbgrader(course, "autograde", ASSIGNMENT, "--force")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_who_is_asked_to_confirm(course, capsys):
    """Only where the answer or the automatic mark has moved since the mark was given."""
    submit(course, ASSIGNMENT, "ada", RIGHT, WORDS)
    run(course, [ASSIGNMENT])
    assert asks(course, "ada") == {ASSIGNMENT: False, WHY: True}
    mark(course, "ada", WHY, 1.5)
    mark(course, "ada", ASSIGNMENT, 5.0)
    nobody = {ASSIGNMENT: False, WHY: False}
    assert run(course, [ASSIGNMENT], force=True) == all_graded()
    assert asks(course, "ada") == nobody
    show_key(course, rotate=True)
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert asks(course, "ada") == nobody
    autograde(course)
    assert asks(course, "ada") == nobody

    hand_in_again(course, "ada", RIGHT, WORDS + " Python asks for one.")
    capsys.readouterr()
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert asks(course, "ada") == {ASSIGNMENT: False, WHY: True}
    printed = capsys.readouterr().out
    assert f"{WHY}, marked by hand; the answer or the automatic mark has changed" in printed
    assert "6.5 / 11" in printed  # what was given counts until it is given anew
    # Nobody has confirmed it: it is asked for again, until the old answer is back.
    run(course, [ASSIGNMENT], force=True)
    assert asks(course, "ada") == {ASSIGNMENT: False, WHY: True}
    hand_in_again(course, "ada", RIGHT, WORDS)
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert asks(course, "ada") == nobody

    # Another solution with another mark, or with the same one: what was marked is another thing.
    hand_in_again(course, "ada", IMPURE, WORDS)
    run(course, [ASSIGNMENT])
    assert asks(course, "ada") == {ASSIGNMENT: True, WHY: False}
    mark(course, "ada", ASSIGNMENT, 5.0)
    autograde(course)
    assert asks(course, "ada") == nobody
    # The course may move.
    moved = course.rename(course.with_name("moved"))
    autograde(moved)
    assert asks(moved, "ada") == nobody


@pytest.mark.slow
def test_what_a_person_has_settled_needs_no_review(course, capsys):
    submit(course, ASSIGNMENT, "ada", RIGHT.replace("box_cox", "boxcox"))
    submit(course, ASSIGNMENT, "cut", RIGHT).write_text("{")
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert "2 of 2 submissions need your review" in capsys.readouterr().out
    mark(course, "ada", ASSIGNMENT, 0.0)
    mark(course, "cut", ASSIGNMENT, 5.0)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW  # nobody could read the answer either
    printed = capsys.readouterr().out
    assert (
        f"{WHY}, 2 points to give in formgrader: cut" in printed and "5 / 9 (+2 pending)" in printed
    )
    mark(course, "cut", WHY, 0.0)
    assert run(course, [ASSIGNMENT]) == 0
    assert "your review" not in capsys.readouterr().out
    assert sums(rows_of(course / f"{ASSIGNMENT}.csv")["cut"]) == (5, 11, 0, 11)


class Grade:
    def __init__(self, manual_score: float | None = None, needs_manual_grade: bool = True):
        self.id, self.manual_score = "grade", manual_score
        self.needs_manual_grade = needs_manual_grade


def recorded(folder: Path, grade: Grade, answer: str, points: float | None) -> bool:
    memory = MarkMemory(folder, "lesson", "ada")
    grade.needs_manual_grade = memory.needs_manual_grade(grade, answer, points)
    memory.save()
    return grade.needs_manual_grade


def test_memory(tmp_path):
    grade = Grade()
    assert recorded(tmp_path, grade, "A", None)
    assert not recorded(tmp_path, grade, "A", 4)
    grade.manual_score = 3.0
    assert not recorded(tmp_path, grade, "A", 4.0)  # the store says 4, nbgrader 4.0
    assert recorded(tmp_path, grade, "A", None)
    assert recorded(tmp_path, grade, "B", 4.0)
    assert not recorded(tmp_path, grade, "A", 4.0)
    assert recorded(tmp_path, grade, "B", 4.0)
    grade.needs_manual_grade = False  # a person has confirmed it
    assert not recorded(tmp_path, grade, "B", 4.0)
    assert recorded(tmp_path, grade, "A", 4.0)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1, "grades": {"grade": 3}}'])
def test_a_mark_whose_answer_nobody_knows_is_asked_for(tmp_path, text):
    """Given before the kit remembered, or its file is lost or spoilt."""
    path = tmp_path / ".autograder" / "by-hand" / "lesson" / "ada.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert recorded(tmp_path, Grade(3.0, False), "A", 4.0)


@pytest.mark.slow
def test_a_crash_before_the_file_is_written_asks_a_person(tmp_path):
    grade = Grade()
    recorded(tmp_path, grade, "A", 4.0)
    grade.manual_score = 3.0
    grade.needs_manual_grade = MarkMemory(tmp_path, "lesson", "ada").needs_manual_grade(
        grade, "B", 4.0
    )
    assert grade.needs_manual_grade  # committed to the gradebook; here the machine stops
    assert recorded(tmp_path, grade, "B", 4.0)


@pytest.mark.slow
def test_other_notebooks_too(course):
    """An instructor's own assignment, executed by nbgrader itself."""
    marked = {"locked": False, "schema_version": 3, "task": False, "solution": True, "grade": True}
    cell = nbformat.v4.new_markdown_cell(
        "### BEGIN SOLUTION\nSo.\n### END SOLUTION\n### BEGIN STARTER\nWhy?\n### END STARTER",
        metadata={
            "nbgrader": {**marked, "grade_id": "words", "points": 3, "cell_type": "markdown"}
        },
    )
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    folder = course / "source" / "own"
    folder.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=kernel), folder / "own.ipynb")
    assert nbgrader(course, "generate_assignment", "own").returncode == 0
    target = course / "submitted" / "ada" / "own" / "own.ipynb"
    target.parent.mkdir(parents=True)

    def grade(answer: str) -> bool:
        notebook = nbformat.read(course / "release" / "own" / "own.ipynb", as_version=4)
        notebook["cells"][0]["source"] = answer
        nbformat.write(notebook, target)
        done = nbgrader(course, "autograde", "own", "--force")
        assert done.returncode == 0, done.stderr
        with gradebook_of(course) as gradebook:
            return gradebook.find_grade("words", "own", "own", "ada").needs_manual_grade

    assert grade("Because.")
    with gradebook_of(course) as gradebook:
        given = gradebook.find_grade("words", "own", "own", "ada")
        given.manual_score, given.needs_manual_grade = 2.0, False
        gradebook.db.commit()
    assert not grade("Because.")
    exports(course)
    assert rows_of(course / "criteria.csv")["ada"]["status"] == ""
    assert grade("Therefore.")
    exports(course)
    assert rows_of(course / "criteria.csv")["ada"]["status"] == "needs manual grade"
