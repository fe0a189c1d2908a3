"""Some draw of each key covers each sentence of a task, and exceeds what the notebook shows.

Without such a draw, a repair that is wrong there would have full marks. The tables are in `draws/`.
"""

from __future__ import annotations

import importlib
import random
import re
from functools import cache
from pathlib import Path

import pytest

from autograder.lessons.authoring import build_exercise
from autograder.lessons.course import Lesson, find_course
from autograder.model.exercise import BehaviourExercise, Draws, FunctionExercise, ProgramExercise
from autograder.model.notebook import NotebookNode
from autograder.model.rubric import PUBLIC_KEY
from solutions.tests.draws.table import KINDS, Drawn

KEYS = 3
"""The public key, and so many others."""

LESSONS = {lesson.name: lesson for lesson in find_course().lessons()}
TABLES = {name: importlib.import_module(f"solutions.tests.draws.{name}").TABLE for name in LESSONS}
DRAWN = [(name, exercise) for name, table in TABLES.items() for exercise in table]

EVERYWHERE = re.compile(
    r"small repairs of|They are practice|Each function must stay jitted|so that$|(it|It) fails\.$"
    r"|^(It|The function) stops with an error|^It is NaN\.$|^\*\w+, about \d+ minutes?\.\*?$|^Importance: ★+\*$"
    r"|(it|It) stays (\*\*)?one jitted function(\*\*)?(, pure(, compiled once for each shape)?)?[.;]$"
)
"""Sentences of many tasks that say nothing about arguments."""


def exercises_of(lesson: Lesson) -> dict[str, FunctionExercise]:
    """The exercises and drills that are called: all but predictions."""
    drills = lesson.drills.exercises if lesson.drills else ()
    found = {each.name: each for each in (*lesson.rubric.exercises, *drills)}
    return {name: each for name, each in found.items() if isinstance(each, FunctionExercise)}


@cache
def cells_of(lesson: str) -> list[NotebookNode]:
    return build_exercise(LESSONS[lesson])["cells"]


def one_line(text: str) -> str:
    return " ".join(text.split())


def task_sentences(lesson: str, exercise: str) -> list[str]:
    """The sentences between a solution cell and the heading, or the code cell, above it.

    Code directly above is what the solution uses: the sentences are above that.
    """
    cells = cells_of(lesson)
    at = next(i for i, cell in enumerate(cells) if cell["id"] == f"{exercise}-solution")
    while cells[at - 1]["cell_type"] == "code":
        at -= 1
    above: list[str] = []
    while cells[at - 1]["cell_type"] == "markdown":
        at -= 1
        above.insert(0, cells[at]["source"])
    text = re.split(r"^#+ .*$", "\n\n".join(above), flags=re.M)[-1]
    pieces = re.split(r"\n\s*\n|^\s*[*-] ", text, flags=re.M)
    return [
        sentence
        for piece in pieces
        for sentence in re.split(r"(?<=[.?!:;])\s+(?=[A-Z`*(])", one_line(piece))
        if sentence.strip("` ") and not EVERYWHERE.search(sentence)
    ]


def calls_with(key: int, exercise: FunctionExercise, drawn: Drawn) -> list[tuple]:
    """Those that are judged, with the loops: the first two, or all that the rubric draws."""
    if drawn.calls:
        return drawn.calls()
    draws = Draws(key)
    loop = exercise.loop if isinstance(exercise, ProgramExercise) else None
    shown = None if loop and loop.draws else 2
    return [*exercise.calls(draws), *exercise.unrolling_calls(draws)[:shown]]


def keys_of(exercise: FunctionExercise, fresh_key: int) -> list[int]:
    """What is judged by behaviour is judged on the public draws."""
    draw = random.Random(fresh_key)
    count = 0 if isinstance(exercise, BehaviourExercise) else KEYS
    return [PUBLIC_KEY, *(draw.randrange(1, 2**128) for _ in range(count))]


@pytest.mark.parametrize("lesson", TABLES)
def test_every_exercise_has_rows(lesson):
    assert set(TABLES[lesson]) == set(exercises_of(LESSONS[lesson]))


@pytest.mark.parametrize(("lesson", "name"), DRAWN)
def test_every_sentence_is_quoted(lesson, name):
    """And what is quoted stands in the task."""
    drawn, sentences = TABLES[lesson][name], task_sentences(lesson, name)
    task, quotes = " ".join(sentences), [*(words for words, _ in drawn.covered), *drawn.other]
    assert [words for words in quotes if words not in task] == [], sentences
    spans = [(task.index(words), task.index(words) + len(words)) for words in quotes]
    silent, at = [], 0
    for sentence in sentences:
        end = at + len(sentence)
        if not any(first < end and last > at for first, last in spans):
            silent.append(sentence)
        at = end + 1
    assert silent == [], "no row quotes these"


@pytest.mark.parametrize(("lesson", "name"), DRAWN)
def test_some_draw_covers_each_row(lesson, name, fresh_key):
    drawn, exercise = TABLES[lesson][name], exercises_of(LESSONS[lesson])[name]
    for key in keys_of(exercise, fresh_key):
        calls = calls_with(key, exercise, drawn)
        larger = () if isinstance(drawn.larger, str) else drawn.larger
        for words, covers in (*drawn.covered, *larger):
            assert any(covers(*call) for call in calls), f"{words!r}, key {key}"


@pytest.mark.parametrize(("lesson", "name"), DRAWN)
def test_some_draw_exceeds_what_the_notebook_shows(lesson, name):
    """The rows are there, and what they quote still stands in the notebook."""
    text = one_line("\n".join(cell["source"] for cell in cells_of(lesson)))
    larger = TABLES[lesson][name].larger
    assert larger
    if isinstance(larger, str):
        return
    assert [words for words, _ in larger if words not in text] == []


@pytest.mark.parametrize(("lesson", "name"), DRAWN)
def test_some_draw_is_of_each_kind(lesson, name, fresh_key):
    """Or the table says why none may be."""
    drawn, exercise = TABLES[lesson][name], exercises_of(LESSONS[lesson])[name]
    drawn_with = {key: calls_with(key, exercise, drawn) for key in keys_of(exercise, fresh_key)}
    without = {
        kind: keys
        for kind, is_one in KINDS.items()
        if (keys := [key for key, calls in drawn_with.items() if not is_one(calls)])
    }
    unexplained = {kind: keys for kind, keys in without.items() if kind not in drawn.declined}
    assert unexplained == {}, "no call is of these kinds, with these keys"
    assert set(drawn.declined) <= set(KINDS)
    no_longer = {kind: why for kind, why in drawn.declined.items() if kind not in without}
    assert no_longer == {}, "there are such calls"


@pytest.mark.parametrize(("lesson", "name"), DRAWN)
def test_settings_stay_plain_values(lesson, name):
    """What is a number in one call is no array in another: it may be static."""
    drawn, exercise = TABLES[lesson][name], exercises_of(LESSONS[lesson])[name]
    if drawn.calls is None:
        calls = calls_with(PUBLIC_KEY, exercise, drawn)
        assert len({tuple(hasattr(x, "shape") for x in call) for call in calls}) == 1


def test_no_table_is_left_over():
    tables = {path.stem for path in (Path(__file__).parent / "draws").glob("*.py")}
    assert tables - {"table"} <= set(LESSONS)
