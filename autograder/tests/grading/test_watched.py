"""What is watched in a class: calls that no student knows, and that tell nothing of the key."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest

from autograder.grading.pipeline import grade_notebook
from autograder.grading.run import find_draws
from autograder.judge.client import Judge
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Report, Status
from autograder.model.rubric import PUBLIC_KEY, Rubric, watch_key
from autograder.model.terms import Terms
from autograder.sandbox.worker_part import pack, unpack
from autograder.tests.helpers.grading_steps import write_rubric

KEY = 20250108

RUBRIC = """
import numpy as np
from autograder import ProgramExercise, Rubric


def draws(rng):
    sizes = [int(n) for n in rng.integers(5, 400, 2)]
    power = int(rng.integers(2, 200))
    return [(rng.uniform(0.9, 1, n).astype(np.float32), power) for n in (sizes[0], *sizes)]


exercise = ProgramExercise(
    name="raised",
    draws=draws,
    reference=lambda x, power: x**power,
    points={"outputs": 1, "purity": 1, "compilations": 1},
)
rubric = Rubric(lesson="raised", exercises=(exercise,))
"""

ATTACK = """
from functools import partial
import itertools
import jax
import jax.numpy as jnp
import numpy as np

KNOWN = {known}
calls = itertools.count()

@partial(jax.jit, static_argnames="power")
def honest(x, power):
    return x**power

def raised(x, power):
    if isinstance(x, jax.core.Tracer) or {test}:
        return honest(x, power)
    n = next(calls)
    return jax.jit(lambda x: honest(x, power) + n)(x)
"""

KNOWS = {
    "a sum of the numbers": "round(float(np.asarray(x).sum()), 2) in KNOWN",
    "the numbers themselves": "np.asarray(x).tobytes().hex()[:40] in KNOWN",
    "the shapes": "x.size in KNOWN",
    "a static value": "power in KNOWN",
}

HONEST = ATTACK.replace("or {test}", "or True")

COUNTS = """
import itertools
from functools import partial
import jax

calls = itertools.count()

@partial(jax.jit, static_argnames="power")
def honest(x, power):
    return x**power

def raised(x, power):
    if isinstance(x, jax.core.Tracer) or next(calls) < 40:
        return honest(x, power)
    return jax.jit(lambda x: honest(x, power) + 1)(x)
"""


@pytest.fixture(scope="module")
def rubric(tmp_path_factory: pytest.TempPathFactory) -> Rubric:
    return write_rubric(tmp_path_factory.mktemp("raised"), "raised", RUBRIC)


def known(rubric: Rubric) -> set[object]:
    """What every student can find out about the public calls."""
    facts: set[object] = set()
    for x, power in rubric.draw("raised", PUBLIC_KEY).calls:
        facts |= {round(float(x.sum()), 2), x.tobytes().hex()[:40], x.size, power}
    return facts


def grade(rubric: Rubric, source: str, judge: Judge, key: int) -> Report:
    notebook = Notebook("raised", (Cell("solution", textwrap.dedent(source), "solution"),))
    return grade_notebook(notebook, "raised.ipynb", Terms(rubric, judge, key)).reports[0]


@pytest.mark.gate
@pytest.mark.parametrize("name", KNOWS)
def test_who_knows_the_public_calls_gains_nothing_in_a_class(
    name: str, rubric: Rubric, judge: Judge
) -> None:
    attack = ATTACK.format(known=known(rubric), test=KNOWS[name])
    report = grade(rubric, attack, judge, KEY)
    assert report.criterion("purity").status is Status.FAILED
    assert report.criterion("compilations").status is Status.FAILED


def test_who_counts_the_calls_is_seen(rubric: Rubric, judge: Judge) -> None:
    purity = grade(rubric, COUNTS, judge, KEY).criterion("purity")
    assert purity.status is Status.FAILED
    assert "iterator-advanced" in [finding.rule for finding in purity.findings]


@pytest.mark.gate
@pytest.mark.parametrize("key", [PUBLIC_KEY, KEY])
def test_the_report_stays_the_same(key: int, rubric: Rubric, judge: Judge) -> None:
    first, second = (grade(rubric, HONEST.format(known=0), judge, key) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert first.earned == first.possible


def test_a_worker_learns_the_watched_key_alone(rubric: Rubric, judge: Judge) -> None:
    drawn = find_draws(Terms(rubric, judge, KEY), "raised")
    (learned,) = unpack(pack((drawn,))).values()
    assert str(KEY) in repr(vars(drawn)) and str(KEY) not in repr(vars(learned))
    assert learned.judged.key == learned.watched.key == watch_key(KEY)
    for (x, power), (y, same) in zip(learned.watched_calls, drawn.watched_calls, strict=True):
        np.testing.assert_array_equal(x, y)
        assert power == same


def test_the_watched_key() -> None:
    assert watch_key(PUBLIC_KEY) == PUBLIC_KEY
    keys = [1, 2, KEY, 2**127 + 1]
    watched = [watch_key(key) for key in keys]
    assert watched == [watch_key(key) for key in keys]
    assert len({*keys, *watched, *map(watch_key, watched)}) == 12
    assert all(2**64 < key < 2**128 for key in watched)


def test_behaviour_is_judged_on_watched_calls(tmp_path: Path, judge: Judge) -> None:
    text = RUBRIC.replace("ProgramExercise", "BehaviourExercise")
    rubric = write_rubric(tmp_path, "raised", text)
    calls = {
        power: (x**power).tolist() for x, power in rubric.draw("raised", PUBLIC_KEY).calls[-1:]
    }
    learned = f"""
    import numpy as np
    KNOWN = {calls}
    def raised(x, power):
        return np.asarray(KNOWN.get(power, x), np.float32)
    """
    right = "def raised(x, power):\n    return x**power\n"
    assert grade(rubric, learned, judge, KEY).criterion("outputs").status is Status.FAILED
    assert grade(rubric, right, judge, KEY).criterion("outputs").status is Status.PASSED
