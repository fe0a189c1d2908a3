"""Words of the student's outside of the cells that are marked for them."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest

from autograder.grading.own_words import answers_elsewhere, own_words
from autograder.lessons.authoring import build_exercise
from autograder.model.notebook import nbformat

WHY = "static_branch-why"
BLANK = "*Write your answer here.*"
ANSWER = "Hers makes a new program at every step; his friend's compiles once."


@pytest.fixture
def given(lessons) -> Any:
    return build_exercise(lessons["static_branch"])


def submission(lessons, *added: Any) -> Any:
    notebook = build_exercise(lessons["static_branch"])
    notebook["cells"] += added
    return notebook


def code(text: str) -> Any:
    return nbformat.v4.new_code_cell(text)


def prose(text: str) -> Any:
    return nbformat.v4.new_markdown_cell(text)


def cell(notebook: Any, name: str) -> Any:
    named = (c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}))
    return next(c for c in named if c["metadata"]["nbgrader"]["grade_id"] == name)


ELSEWHERE = [
    prose(ANSWER),
    prose("Hers."),
    prose("没有"),
    prose("![an answer by hand](attachment:image.png)"),
    nbformat.v4.new_raw_cell(ANSWER),
    code(f"# {ANSWER}"),
    code("# Hers"),
    code("# Hers, since\n# it compiles\n# once a step"),
    code(f"power = 2\n\n# {ANSWER}\npower + 1"),
    code(f"power = 2  # {ANSWER}"),
    code(f'"""{ANSWER}"""'),
    code(f'print("{ANSWER}")'),
    code("answer = 'the friend compiles one program only'"),
    code(ANSWER),  # in a cell of the wrong kind
    code("%%markdown\n" + ANSWER),
    code("power = 2\n# 每一步都会编译一个新程序\n"),
    code("# Ihre macht bei jedem Schritt ein neues Programm"),
]


@pytest.mark.parametrize("added", ELSEWHERE, ids=lambda c: c["source"][:20])
def test_an_answer_may_stand_anywhere(lessons, given, added):
    notebook = submission(lessons, added)
    assert own_words(notebook, given)
    assert answers_elsewhere(notebook, given) == {WHY}
    cell(notebook, WHY)["source"] = ""
    assert answers_elsewhere(notebook, given) == {WHY}
    cell(notebook, WHY)["source"] += "So."
    assert not answers_elsewhere(notebook, given)


NOTHING = [
    prose(" \n"),
    prose('<a href="https://example.org/x"><img src="https://example.org/badge.svg"/></a>'),
    prose("---"),
    code(""),
    code("from functools import partial"),
    code("if power is not None and power not in (1, 2):\n    pass"),
    code("# return jnp.where(power == 0, jnp.log(counts), counts)"),
    code("@jax.jit\ndef box_cox(counts, power):\n    # static\n    return counts if power else 1"),
    code("x = 1  # of 3"),
    code('plt.title("Box-Cox")'),
    code("%pip install some package that is missing"),
    code("!pip install some package that is missing"),
    code("#"),
    code("lambda x: x if x else not x"),
    code('names = {"a": "first", "b": "second"}'),
]


@pytest.mark.parametrize("added", NOTHING, ids=lambda c: c["source"][:20])
def test_code_and_layout_are_no_words(lessons, given, added):
    assert own_words(submission(lessons, added), given) == ()


@pytest.mark.slow
def test_the_lessons_own_words_are_not_the_students(lessons):
    for lesson in lessons.values():
        given = build_exercise(lesson)
        assert own_words(build_exercise(lesson), given) == ()
        touched = copy.deepcopy(given)
        for one in touched["cells"]:
            one["source"] += "\n"
        assert own_words(touched, given) == ()


def test_a_line_below_the_question_is_the_students(lessons, given):
    notebook = submission(lessons)
    text = next(c for c in notebook["cells"] if c["source"].startswith("## What did it cost"))
    text["source"] += f"\n\n{ANSWER}"
    assert own_words(notebook, given) == (ANSWER,)


def test_an_answer_in_its_own_cell_is_not_elsewhere(lessons, given):
    notebook = submission(lessons)
    cell(notebook, WHY)["source"] = ANSWER
    assert own_words(notebook, given) == ()


HOSTILE = ['"' * 60_000, "'" * 59_999, "# \\" * 30_000, "a " * 60_000, "a-" * 60_000, "<" * 60_000]
HOSTILE += ["\\'" * 60_000, '\\"' * 60_000, "#\n" * 60_000, '"""\\' * 30_000, '""' + '"\\' * 60_000]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:4])
def test_reading_takes_no_time(lessons, given, text):
    notebook = submission(lessons, code(text), prose(text), code(f'{text}\n"""{text}'))
    start = time.process_time()
    own_words(notebook, given)
    assert time.process_time() - start < 3
