"""Drills of the lesson `debugging`: an error that nobody throws, a search in vain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from autograder.model.exercise import BehaviourExercise, Compilations
from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics._probes import error_of
from autograder.rubrics.drills._drill import make_drill, make_rubric, uniforms

SILENT = (
    "The depths {depths} give a result, and no error. An error value is silent: call "
    "`error.throw()` on it, outside of `jit`."
)


def draw_depths(rng: np.random.Generator) -> list[tuple]:
    """Draw depths above zero: several, very small and large, one, and equal ones."""
    first, other, many, one = uniforms(rng, 10, 90, 5, 5, LARGER[0], 1)
    many[:2] = 1e-3, 1e6
    return [(x,) for x in (first, other, many, one, np.ones(5, np.float32), first.copy())]


BAD_DEPTHS = (
    (20.0, 0.0, 5.0, 9.0, 30.0),
    (-1.0, 8.0, 5.0, 9.0, 2.0),
    (20.0, 4.0, 0.0),
    (0.0,),
    (-3.0, -3.0),
)


def probe_depths(namespace: Mapping[str, Any]) -> Iterable[bool]:
    """Whether depths that are not above zero raise an error."""
    for depths in BAD_DEPTHS:
        yield error_of(namespace["log_depths"], jax.numpy.asarray(depths, np.float32)) is not None


def _decide_depths(seen: Sequence[Any]) -> dict[str, str]:
    silent = [depths for depths, raised in zip(BAD_DEPTHS, seen, strict=False) if not raised]
    return {"outputs": SILENT.format(depths=list(silent[0]))} if silent else {}


def draw_missing(rng: np.random.Generator) -> list[tuple]:
    """Nothing missing, the first, the last, two of them, all; among many; of one."""
    calls = []
    for missing in ([], [0], [6], sorted(rng.choice(6, 2, replace=False)), [*range(7)]):
        y = counts(rng, 7)
        y[missing] = np.nan
        calls.append((y,))
    many, last, one = counts(rng, LARGER[0]), counts(rng, LARGER[0]), np.ones(1, np.float32)
    last[[117, 119]] = np.nan
    missing, none = np.full(1, np.nan, np.float32), np.ones(7, np.float32)
    return [*calls, *((y,) for y in (many, last, one, missing, none, calls[0][0].copy()))]


def _first_missing(y: np.ndarray) -> np.ndarray:
    missing = np.flatnonzero(np.isnan(y))
    return np.asarray(missing[0] if len(missing) else -1, np.int32)


rubric = make_rubric(
    "debugging",
    make_drill(
        "log_depths",
        kind=BehaviourExercise,
        criteria=("outputs", "compilations"),
        draws=draw_depths,
        reference=lambda depths: np.log(depths),
        probe=probe_depths,
        decide=_decide_depths,
        compilations=Compilations(one_program=False),
    ),
    make_drill("first_missing", draws=draw_missing, reference=_first_missing),
)
