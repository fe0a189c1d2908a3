"""Every lesson: its script, its notebook, and that both sides of the exercise are as they should."""

import ast

import pytest

from autograder.authoring import (
    build_exercise,
    build_source,
    find_lessons,
    kit_root,
    put_starter,
    solution_region,
)
from autograder.rubric import rubric_names

LESSONS = find_lessons(kit_root())


def test_numbers_are_in_order_and_names_match_the_rubrics():
    assert [lesson.number for lesson in LESSONS] == list(range(1, len(LESSONS) + 1))
    assert sorted(lesson.name for lesson in LESSONS) == rubric_names()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_starter_and_solution_are_code_and_differ(lesson):
    for cell in build_source(lesson)["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            starter, solution = put_starter(cell["source"]), solution_region(cell["source"])
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
    assert headings[-1] == "## What did it cost?"
    assert "## Your task" in headings
