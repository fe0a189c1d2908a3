"""Every lesson: its script, its notebook, and that both sides of the exercise are as they should."""

import ast
import functools
import importlib
import re

import pytest

from autograder.core.rubric_files import rubric_names
from autograder.judge.client import Judge
from autograder.lessons.authoring import build_exercise, build_source, release_cell, solution_region
from autograder.lessons.course import Course, find_course
from autograder.lessons.verification.expected import (
    hint_problems,
    loses,
    missing_submissions,
)
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.submissions import find_submissions

ROOT = find_course().root
LESSONS = Course(ROOT).lessons()
NAMES = [lesson.name for lesson in LESSONS]


@pytest.fixture(scope="module")
def judge():
    judge = Judge()
    yield judge
    judge.close()


def test_numbers_are_in_order_and_names_match_the_rubrics():
    assert [lesson.number for lesson in LESSONS] == list(range(1, len(LESSONS) + 1))
    assert sorted(lesson.name for lesson in LESSONS) == rubric_names()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_starter_and_solution_are_code_and_differ(lesson):
    for cell in build_source(lesson)["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            starter, solution = release_cell(cell), solution_region(cell["source"])
            if cell["cell_type"] == "markdown":
                assert len(solution) > len(starter)  # a model answer, and notes on grading
                continue
            assert ast.dump(ast.parse(starter)) != ast.dump(ast.parse(solution))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_lesson_ends_with_the_cost(lesson):
    headings = [
        line
        for cell in build_exercise(lesson)["cells"]
        if cell["cell_type"] == "markdown"
        for line in cell["source"].splitlines()
        if line.startswith("## ")
    ]
    cost = headings.index("## What did it cost?")
    assert set(headings[cost + 1 :]) <= {"## One question", "## In your own words"}
    assert any(heading.startswith("## Your task") for heading in headings[:cost])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_lesson_says_how_long_it_takes_and_asks_for_a_prediction(lesson):
    text = "\n".join(c["source"] for c in build_exercise(lesson)["cells"])
    minutes = re.search(r"About (\d+) minutes", " ".join(text.split()))
    assert minutes and int(minutes[1]) == lesson.rubric.minutes
    assert "Predict before you run" in text
    assert lesson.rubric.learned


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_submissions_and_hints_are_there(lesson):
    assert missing_submissions(lesson, ROOT) == []
    assert [p for exercise in lesson.rubric.exercises for p in hint_problems(exercise)] == []


DOCS = re.compile(r"https://docs\.jax\.dev/en/latest/([\w./-]+)\.html")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_lesson_links_to_the_documentation_of_jax(lesson):
    pages = DOCS.findall(lesson.script.read_text(encoding="utf-8"))
    assert pages
    for page in pages:
        if page.startswith("_autosummary/"):
            _, jax, *names = re.split("[/.]", page)
            functools.reduce(getattr, names, importlib.import_module(jax))  # it is public


def test_at_least_four_lessons_ask_a_written_question():
    asking = [
        lesson.name
        for lesson in LESSONS
        if any(
            cell["cell_type"] == "markdown" and "nbgrader" in cell["metadata"]
            for cell in build_exercise(lesson)["cells"]
        )
    ]
    assert len(asking) >= 4


LIGHT = {"tracing", "static_branch", "safe_where", "static_reshape", "early_stop"}
"""Lessons that are checked quickly; the slow tier checks all of them."""


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(x, id=x.name, marks=() if x.name in LIGHT else pytest.mark.slow)
        for x in LESSONS
    ],
)
def test_starters_fail_with_the_intended_error(lesson, judge, tmp_path):
    for s in find_submissions(ROOT, lesson.name):
        if s.kind == "starter":
            alone = s.must_fail == ("outputs",)
            report = grade_source(lesson, s.exercise, None, tmp_path, judge, outputs_only=alone)
            assert loses(report, s.must_fail, s.says) == []
