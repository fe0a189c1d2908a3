"""The hints of each lesson, in Markdown: every heading is of something, and every list counts on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.lessons.course import Lesson, find_course
from autograder.model.exercise import Predictions
from autograder.model.hints import ANY_TASK, QUIZ, read_hints, read_questions
from autograder.model.rubric import KITS_FOLDER

LESSONS = find_course().lessons()
HINTS = {path.stem: path for path in (KITS_FOLDER / "hints").glob("*.md")}
FOR_ALL = {QUIZ}
"""Of any task of a mixed quiz, whatever its lesson."""


def headings(path: Path, mark: str) -> list[str]:
    """The names in the headings of one level."""
    found = re.findall(rf"^{mark} (.*)$", path.read_text(encoding="utf-8"), flags=re.M)
    return [name for heading in found for name in heading.split(", ")]


def test_each_lesson_has_a_file():
    assert set(HINTS) == {lesson.name for lesson in LESSONS} | FOR_ALL


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_each_heading_names_an_exercise(lesson: Lesson):
    expected = {exercise.name for exercise in lesson.rubric.exercises}
    expected |= {
        f"questions of {e.name}" for e in lesson.rubric.exercises if isinstance(e, Predictions)
    }
    expected |= {"drills"} if lesson.drills else set()
    assert set(headings(HINTS[lesson.name], "#")) == expected


@pytest.mark.parametrize("path", HINTS.values(), ids=HINTS.keys())
def test_each_list_counts_from_one(path: Path):
    for section in re.split(r"^##? .*$", path.read_text(encoding="utf-8"), flags=re.M):
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", section, flags=re.M)]
        assert numbers == list(range(1, len(numbers) + 1)), section


def test_a_heading_may_name_several_rules_or_exercises():
    hints = read_hints(HINTS["early_stop"])["early_stop"]
    assert hints["python-while"] == hints["branch-on-data"]
    assert hints["python-while"][1] == (
        "Use `lax.while_loop(go_on, step, start)`; in go_on, join conditions with `&`."
    )
    hints = read_hints(HINTS["static_reshape"])
    purity = [hints[name]["purity"] for name in ("data_sizes", "data_sizes_seen")]
    assert purity[0] == purity[1]


def test_a_task_of_a_quiz_has_its_own_hints_before_those_of_any_task():
    (quiz,) = [lesson for lesson in LESSONS if lesson.name == "mixed_quiz_2"]
    axis, descend = (quiz.rubric.exercise(f"mixed_quiz_2_{name}") for name in ("axis", "descend"))
    shared = read_hints(HINTS[QUIZ])[ANY_TASK]
    assert descend.hints["compilations"] == shared["compilations"] != axis.hints["compilations"]
    assert axis.hints["purity"] == shared["purity"]


def test_questions_have_one_hint_each():
    questions = read_questions(str(KITS_FOLDER / "mixed_quiz_3.py"), "mixed_quiz_3_calls")
    assert next(iter(questions)) == "other_values"
    assert questions["other_values"] == "Does jit look a program up by the values of an array?"
