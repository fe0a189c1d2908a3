"""The demo: real nbgrader from source to feedback, and the marks that five submissions deserve."""

import csv
import json

import pytest

from autograder.classroom.course_config import ClassError
from autograder.classroom.demo import STUDENTS, run_demo
from autograder.tests.grading.test_pipeline import DESERVED


@pytest.fixture(scope="module")
def demo(tmp_path_factory, root):
    folder = tmp_path_factory.mktemp("demo")
    run_demo(root, folder / "course", folder / "table.json")
    return folder


@pytest.mark.slow
def test_marks_by_criterion(demo):
    table = json.loads((demo / "table.json").read_text())
    assert table["schema"] == 1
    marks = {
        row["student"]: {c["name"]: c["earned"] for c in row["report"]["criteria"]}
        for row in table["rows"]
    }
    assert marks == DESERVED


@pytest.mark.slow
def test_answers_in_words_are_in_the_totals(demo):
    rows = {row["student"]: row for row in json.loads((demo / "table.json").read_text())["rows"]}
    assert (rows["ada"]["mark"], rows["ada"]["max_score"]) == ("9 / 9 (+2 pending)", 11)
    assert rows["ada"]["needs_manual_grade"] == ["static_branch-why"]
    assert rows["bela"]["mark"] == "0 / 11" and rows["bela"]["needs_manual_grade"] == []


@pytest.mark.slow
def test_nbgraders_export_agrees(demo):
    with open(demo / "course" / "grades.csv", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {name: sum(marks.values()) for name, marks in DESERVED.items()}


@pytest.mark.slow
def test_feedback_shows_the_card(demo):
    for student in STUDENTS:
        page = demo / "course" / "feedback" / student / "static_branch" / "static_branch.html"
        assert f"{sum(DESERVED[student].values())} / 9" in page.read_text()


@pytest.mark.slow
def test_released_notebook_holds_the_starter(demo):
    text = (demo / "course" / "release" / "static_branch" / "static_branch.ipynb").read_text()
    assert "### BEGIN" not in text
    assert "@jax.jit\\n" in text
    assert "YOUR CODE HERE" not in text


@pytest.mark.slow
def test_failing_nbgrader_is_reported(tmp_path, root, monkeypatch):
    monkeypatch.setattr("autograder.classroom.demo.ASSIGNMENT", "absent")
    with pytest.raises(ClassError, match="`nbgrader generate_assignment absent` failed"):
        run_demo(root, tmp_path / "course")
