"""What students get of a rubric: data that checks as the rubric does, and tells no solution."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from autograder.grading.pipeline import grade_notebook
from autograder.lessons.publishing import public_text
from autograder.model.exercise import Draws, ProgramExercise, RubricError
from autograder.model.notebook import Cell, Notebook
from autograder.model.public_rubric import (
    SUFFIX,
    KnownResults,
    decode,
    encode,
    find_public,
    read_public,
)
from autograder.model.report import Status
from autograder.model.rubric_files import find_exercise, load_rubric
from autograder.model.terms import Terms

RUBRIC = """\
import jax
import jax.numpy as jnp
import numpy as np

from autograder import Comparison, Loop, Predictions, ProgramExercise, Rubric, Speed

points = {"outputs": 2, "purity": 1, "compilations": 1}


def draws(rng):
    return [(rng.normal(size=5).astype(np.float32), 2.0), (np.zeros(3, np.float32), 3.0)]


def a_secret_name(x, power):
    return jnp.sum(jnp.abs(x + 1) ** power)


def walk(x, steps):
    return x + steps


rubric = Rubric(
    lesson="powers",
    exercises=(
        ProgramExercise(
            name="powers",
            draws=draws,
            reference=a_secret_name,
            gradient=0,
            points=points,
        ),
        ProgramExercise(
            name="walk",
            draws=lambda rng: [(rng.normal(size=3).astype(np.float32), 5)],
            reference=walk,
            points=points | {"speed": 3},
            speed=Speed(walk, 2.0, lambda rng: (np.ones(3, np.float32), 5)),
            loop=Loop(1),
        ),
        Predictions(
            name="guess",
            questions={"how many": ""},
            points={"outputs": 1},
            answers=lambda: {"how many": 424242},
        ),
        ProgramExercise(
            name="judged",
            draws=draws,
            points={"outputs": 1},
            reference=Comparison(lambda args, got: "a_secret_sentence"),
        ),
    ),
)
"""
RIGHT = """
from functools import partial
import jax, jax.numpy as jnp
@partial(jax.jit, static_argnums=1)
def powers(x, power):
    return (jnp.abs(x + 1) ** power).sum()
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    (folder / "powers.py").write_text(RUBRIC)
    text = public_text(load_rubric(folder / "powers.py"))
    (folder / f"powers{SUFFIX}").write_text(text)
    return folder / f"powers{SUFFIX}"


@pytest.mark.slow
def test_it_holds_no_code_and_no_answers(file):
    text = file.read_text()
    for secret in ("secret", "jnp", "lambda", "def ", "424242", "import", "baseline"):
        assert secret not in text.replace('"importance"', "")
    data = json.loads(text)
    assert [one["name"] for one in data["exercises"]] == ["powers", "walk"]
    assert set(data["withheld"]) == {"guess", "judged"}
    assert data["exercises"][1]["points"] == {"outputs": 2, "purity": 1, "compilations": 1}


@pytest.mark.gate
@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        (RIGHT, Status.PASSED, ""),
        (RIGHT.replace("x + 1", "x + 2"), Status.FAILED, "values differ"),
        (RIGHT.replace("def powers", "def pow_"), Status.NOT_GRADED, "There is no function"),
    ],
)
def test_it_judges_as_the_rubric_does(file, judge, source, status, words):
    rubric = load_rubric(file)
    notebook = Notebook("powers", (Cell("solution", source, "solution"),))
    report = grade_notebook(notebook, "powers.ipynb", Terms(rubric, judge)).reports[0]
    outputs = report.criterion("outputs")
    printed = " ".join([*(f.message for f in outputs.findings), str(outputs.reason)])
    assert words in printed
    assert (outputs.status is Status.PASSED) == (status is Status.PASSED), printed


def test_the_public_calls_are_the_rubrics(file):
    public, own = read_public(file), load_rubric(file.parent / "powers.py")
    for name in ("powers", "walk"):
        for method in ("calls", "unrolling_calls"):
            calls = [getattr(r.exercise(name), method)(Draws(0)) for r in (public, own)]
            assert json.dumps([encode(c) for c in calls[0]]) == json.dumps(
                [encode(c) for c in calls[1]]
            )


def test_a_notebook_finds_it_beside_itself(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    rubric, exercise = find_exercise("powers")
    assert rubric.source == str(file)
    assert isinstance(exercise, ProgramExercise) and isinstance(exercise.reference, KnownResults)
    with pytest.raises(RubricError, match="'guess' cannot be checked here: the right answers"):
        find_exercise("guess")
    assert find_public("unknown", file.parent) is None
    assert find_exercise("static_branch")[0].source == "static_branch"


@pytest.mark.parametrize(
    "value",
    [
        (np.arange(6, dtype=np.int8).reshape(2, 3), 1, "a", None, True, [1.5, (2,)], {"k": 0}),
        (np.float32(1.5), np.zeros((0, 3)), np.array([math.nan, math.inf])),
        (np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.array(True)),
    ],
)
def test_arguments_come_back(value):
    again = decode(json.loads(json.dumps(encode(value))))
    assert json.dumps(encode(again)) == json.dumps(encode(value))
    for one, other in zip(value, again, strict=True):
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


def test_other_arguments_are_refused():
    for value in (object(), np.array([object()]), {1: 2}, {"a": {3}}):
        with pytest.raises(TypeError):
            encode(value)


HOSTILE = [
    "",
    "[]",
    "null",
    '{"schema": 99}',
    '{"schema": 1, "lesson": "x"}',
    '{"schema": 1, "lesson": "x", "learned": "", "minutes": 0, "exercises": [{"calls": 1}]}',
    "[" * 10_000,
    "\x00\xff",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_files_that_cannot_be_read(tmp_path, text):
    file = tmp_path / f"x{SUFFIX}"
    file.write_text(text)
    with pytest.raises(RubricError, match=r"x\.check\.json cannot be read .*from your instructor"):
        read_public(file)


def test_an_array_of_objects_is_refused(file, tmp_path):
    data = json.loads(file.read_text())
    data["exercises"][0]["calls"][0]["arguments"]["tuple"][0]["dtype"] = "|O"
    spoilt = tmp_path / f"powers{SUFFIX}"
    spoilt.write_text(json.dumps(data))
    with pytest.raises(RubricError, match="an array of object"):
        read_public(spoilt)
