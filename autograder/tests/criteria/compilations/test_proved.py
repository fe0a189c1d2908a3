"""What the source proves of compilations, beside what is counted when the calls are made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder.criteria.compilations.count import count_with_repeats
from autograder.criteria.compilations.observe import timeline_of
from autograder.criteria.compilations.proved import prove_compilations
from autograder.model.exercise import Compilations
from autograder.model.figures import Timeline
from autograder.source.proof import prove_cells
from autograder.tests.helpers.drawn import drawn_of
from autograder.tests.helpers.student_modules import ENTRY, make_module

X = np.ones(3, np.float32)
TRACED = "import jax\n@jax.jit\ndef entry(x, n):\n    return x * n\n"
STATIC = TRACED.replace("@jax.jit", "@jax.jit(static_argnums=1)")


def seen_in(timeline: Timeline) -> tuple:
    """Return what a card shows, without the numbers of the calls."""
    return timeline.repeats, [(call.effect, call.programs) for call in timeline.calls]


def prove(source: str, calls: list[tuple], **changes: Any) -> Timeline | None:
    jitted = prove_cells([("a", source)], ["entry"]).jitted["entry"]
    exercise = replace(ENTRY, draws=lambda _: calls, **changes)
    proved = prove_compilations(drawn_of(exercise), jitted)
    if proved is not None:
        module = make_module(source)
        counted = count_with_repeats(module.entry, calls, module)
        assert seen_in(proved) == seen_in(timeline_of(counted, exercise.compilations))
    return proved


@pytest.mark.parametrize(
    ("source", "calls", "effects"),
    [
        (TRACED, [(X, 1.0), (X, 2.0), (X[:2], 2.0)], "compiled reused compiled"),
        (STATIC, [(X, 1), (X, 2), (X, 1)], "compiled compiled reused"),
    ],
    ids=["traced", "static"],
)
def test_programs_of_the_calls(source: str, calls: list[tuple], effects: str) -> None:
    proved = prove(source, calls)
    assert proved is not None
    assert " ".join(call.effect for call in proved.calls[: len(calls)]) == effects


@pytest.mark.parametrize(
    ("source", "calls", "options"),
    [
        (STATIC, [(X, 1.0), (X, 2.0)], {}),
        (STATIC, [(X, 1), (X, 2)], {"compilations": Compilations(each_once=True)}),
        (STATIC, [(X, 1), (X, 2)], {"compilations": Compilations(budget=1)}),
        (TRACED, [], {}),
        (TRACED, [(X, 1.0)], {"points": {"outputs": 1}}),
    ],
    ids=["static float", "static number", "budget", "no calls", "no points"],
)
def test_what_must_be_watched(source: str, calls: list[tuple], options: dict) -> None:
    assert prove(source, calls, **options) is None
