"""A course that gives points for the defence cells, and one that gives none."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.command import run
from autograder.classroom.course_config import CONFIG_FILE, ClassError
from autograder.classroom.course_folder import refresh_course
from autograder.classroom.demo import submit
from autograder.lessons.course import Course
from autograder.lessons.verification.in_process import as_notebook
from autograder.model.notebook import Cell, defence_name
from autograder.model.questions import Kind, Questions
from autograder.model.rubric_files import load_lesson
from autograder.sandbox.cells import run_cells
from autograder.sandbox.exercise_observation import ask_about
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, all_graded, gradebook_of, nbgrader
from autograder.tests.helpers.drawn import drawn_of

NAME = defence_name(ASSIGNMENT)
OTHER = RIGHT.replace("counts + 1", "1 + counts")


def questions_about(source: str, folder: Path) -> Questions:
    """As the kernel of a student asks them."""
    drawn = drawn_of(load_lesson(ASSIGNMENT).defended)
    with as_notebook():
        imports = "import jax\nimport jax.numpy as jnp\n"
        module, _ = run_cells([Cell("a", imports + source, "")], folder)
        questions = ask_about(drawn, module).questions
    assert questions is not None
    return questions


def right_call(questions: Questions) -> str:
    parts = [f'program="{questions.program}"']
    for question in questions.asked:
        right = question.answer
        shown = right if question.kind is Kind.PROGRAMS else " ".join(sorted(right))  # type: ignore[arg-type]
        parts.append(f"{question.kind}={shown!r}")
    return f'defend("{ASSIGNMENT}", {", ".join(parts)})'


def half_wrong(call: str) -> str:
    """The same call with one line too many, or one too few."""
    lines = re.search(r"lines='([^']*)'", call)
    assert lines is not None
    wrong = set(lines[1].split()) ^ {"a"}
    return call.replace(lines[0], f"lines={' '.join(sorted(wrong))!r}")


def answer(path: Path, source: str) -> None:
    notebook = json.loads(path.read_text())
    (cell,) = (c for c in notebook["cells"] if c["id"] == NAME)
    cell["source"] = source
    path.write_text(json.dumps(notebook))


def defence_marks(course: Path) -> Iterator[tuple[str, float | None, bool, float]]:
    with gradebook_of(course) as gradebook:
        for submission in gradebook.assignment_submissions(ASSIGNMENT):
            (notebook,) = submission.notebooks
            grade = next(g for g in notebook.grades if g.name == NAME)
            yield submission.student.id, grade.auto_score, grade.needs_manual_grade, grade.max_score


def card(course: Path, student: str) -> str:
    path = course / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    cells = nbformat.read(path, as_version=4)["cells"]
    (output,) = next(c for c in cells if c["id"] == NAME)["outputs"]
    return output.get("text") or output["data"]["text/html"]


@pytest.mark.slow
def test_turned_on(course, root, tmp_path):
    config = course / CONFIG_FILE
    config.write_text(config.read_text() + "\nc.GradeIsolated.defence_points = 2\n")
    call = right_call(questions_about(RIGHT, tmp_path))
    assert len(call.split("=")) == 4  # two questions
    submit(course, ASSIGNMENT, "ada", RIGHT)
    with pytest.raises(ClassError, match=f"`{NAME}` has 0 points in source/.* and 2 by the rub"):
        run(course, [ASSIGNMENT])
    assert refresh_course(course, Course(root)) == ([ASSIGNMENT], [])
    with pytest.raises(ClassError, match=f"`{NAME}` has 0 points in the gradebook and 2 by"):
        run(course, [ASSIGNMENT])
    done = nbgrader(course, "generate_assignment", ASSIGNMENT, "--force")
    assert done.returncode == 0, done.stderr

    answer(course / "submitted" / "ada" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", call)
    answer(submit(course, ASSIGNMENT, "fails", RIGHT), f"half = 1\n{call}\nraise 1")
    answer(submit(course, ASSIGNMENT, "neighbour", OTHER), call)
    answer(submit(course, ASSIGNMENT, "half", RIGHT), half_wrong(call))
    answer(submit(course, ASSIGNMENT, "wrong", None), call)
    submit(course, ASSIGNMENT, "silent", RIGHT)
    assert run(course, [ASSIGNMENT]) == all_graded()
    marks = {student: mark for student, mark, *rest in defence_marks(course) if rest == [False, 2]}
    full = {"ada": 2.0, "fails": 2.0, "half": 1.0}
    assert marks == full | {"neighbour": 0.0, "silent": 0.0, "wrong": 0.0}
    assert "it has changed since" in card(course, "neighbour")
    assert "are not answered" in card(course, "silent")
    assert "asked once the check passes" in card(course, "wrong")
    with (course / f"{ASSIGNMENT}.csv").open() as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert (rows["ada"]["earned"], rows["ada"]["max_score"]) == ("11", "13")

    # nbgrader's own command, which grades nothing anew, and the same again from the beginning.
    results = course / ".autograder" / "results.jsonl"
    for forget in (False, True):
        if forget:
            results.unlink()
        done = nbgrader(course, "autograde", ASSIGNMENT, "--student", "half", "--force")
        assert done.returncode == 0, done.stderr
        assert {s: mark for s, mark, *_ in defence_marks(course)} == marks


@pytest.mark.slow
def test_turned_off(course):
    answer(submit(course, ASSIGNMENT, "ada", RIGHT), 'defend("static_branch", program="x")')
    answer(submit(course, ASSIGNMENT, "ben", RIGHT), "while True: pass")
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert list(defence_marks(course)) == [("ada", 0.0, False, 0.0), ("ben", 0.0, False, 0.0)]
    assert card(course, "ada").startswith("0 points: ")
    with (course / f"{ASSIGNMENT}.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["earned"], row["max_score"]) for row in rows] == [("9", "11")] * 2
    assert not any(NAME in column for column in rows[0])


@pytest.mark.gate
def test_points_that_are_none(course, root):
    config = course / CONFIG_FILE
    config.write_text(config.read_text() + "\nc.GradeIsolated.defence_points = -1\n")
    with pytest.raises(ClassError, match="defence_points is -1: give a number"):
        refresh_course(course, Course(root))
