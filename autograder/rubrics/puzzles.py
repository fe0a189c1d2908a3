"""The ten puzzles before the first lesson: one broken line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric

LONG = 150
"""Entries of the longest vector: more than anybody writes down."""


def _puzzle(
    name: str,
    draws: Callable[[np.random.Generator], list[tuple]],
    reference: Callable[..., Any],
    importance: int,
    **fields: Any,
) -> ProgramExercise:
    """Return the exercise of the function `name`, a point for each criterion."""
    return ProgramExercise(
        name=name,
        minutes=1,
        difficulty="easy",
        importance=importance,
        draws=draws,
        reference=reference,
        points={"outputs": 1, "purity": 1, "compilations": 1},
        **fields,
    )


def _vectors(rng: np.random.Generator, long: int = LONG) -> list[np.ndarray]:
    """Two vectors of one length, a long one, one entry; equal entries; the first again."""
    drawn = [rng.normal(size=n).astype(np.float32) for n in (6, 6, long, 1)]
    return [*drawn, np.full(6, rng.normal(), np.float32), drawn[0].copy()]


def _flips(rng: np.random.Generator) -> list[tuple]:
    on = (True, True, False, False, True, False)
    return list(zip(_vectors(rng), on, strict=True))


def _signs(rng: np.random.Generator) -> list[tuple]:
    """Vectors whose first entry is positive, negative and 0, whatever their sum."""
    drawn = _vectors(rng)
    firsts = (-0.3, 0.2, 0.1, -0.5, -0.4, -0.3)
    for x, first in zip(drawn, firsts, strict=True):
        x[0] = first
    drawn[0][1:], drawn[1][1:] = abs(drawn[0][1:]) + 0.1, -abs(drawn[1][1:]) - 0.1  # another sign
    zero = rng.normal(size=6).astype(np.float32)
    zero[0] = 0
    return [(x,) for x in (*drawn[:4], np.full(6, -0.4, np.float32), drawn[0].copy(), zero)]


def _blessings(rng: np.random.Generator) -> list[tuple]:
    """Entries of both signs, and zeros; none is positive, or all are."""
    drawn = _vectors(rng)
    drawn[0][:3] = -1, 0, 2
    drawn[2][:60] -= 9
    none, all_ = -abs(drawn[1]), abs(drawn[1]) + 1
    return [(x,) for x in (*drawn[:5], none, all_, drawn[0].copy())]


def _plain(rng: np.random.Generator) -> list[tuple]:
    return [(x,) for x in _vectors(rng)]


def _walks(rng: np.random.Generator) -> list[tuple]:
    """Vectors that a Python loop may go through: it is written out, entry by entry."""
    return [(x,) for x in _vectors(rng, long=24)]


def _bookend(x: np.ndarray) -> np.ndarray:
    return np.append(x[:-1], x[0])


def _squares(rng: np.random.Generator) -> list[tuple]:
    sizes = (9, 9, 144, 1, 4)
    drawn = [rng.normal(size=n).astype(np.float32) for n in sizes]
    return [(x,) for x in (*drawn, np.full(9, rng.normal(), np.float32), drawn[0].copy())]


def _fold(x: np.ndarray) -> np.ndarray:
    side = round(len(x) ** 0.5)
    return x.reshape(side, side)


def _races(rng: np.random.Generator) -> list[tuple]:
    """Positive entries; no steps, one, several, many, and the same vector with two numbers."""
    numbers = (3, int(rng.integers(4, 9)), 1, 0, 2, int(rng.integers(40, 60)))
    positive = [np.exp(x) for x in _vectors(rng)]
    return [(x, np.int32(n)) for x, n in zip(positive, numbers, strict=True)]


def _crawl(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    for _ in range(int(n)):
        x = x + 1 / x
    return x


def _noises(rng: np.random.Generator) -> list[tuple]:
    """A key, as its data, and a vector; two keys are those of two integers in a row."""

    def key() -> np.ndarray:
        return rng.integers(0, 2**32, size=2, dtype=np.uint32)

    first, second, *others = _vectors(rng)
    one = np.array([0, rng.integers(0, 2**31)], np.uint32)
    return [(one, first), (one + np.uint32([0, 1]), second), *((key(), x) for x in others)]


def _shake(key: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Float32 noise, also where `x` is float64: the same numbers."""
    wrapped = jax.random.wrap_key_data(jnp.asarray(key))
    return x + np.asarray(jax.random.normal(wrapped, x.shape, jnp.float32))


def _sips(rng: np.random.Generator) -> list[tuple]:
    """One number for two vectors, and two for one; none of it, one entry, and all."""
    numbers = (2, 2, int(rng.integers(110, LONG)), 1, 6, 0)
    some = list(zip(_vectors(rng), numbers, strict=True))
    return [*some, (rng.normal(size=1).astype(np.float32), 0)]


rubric = Rubric(
    lesson="puzzles",
    learned="ten one-line repairs: what you meet in the first week of `jax.jit`",
    minutes=35,
    quiz=True,
    exercises=(
        _puzzle("flip", _flips, lambda x, on: x[::-1] if on else x, 3),
        _puzzle("sunny", _signs, lambda x: x if x[0] > 0 else -x, 3),
        _puzzle("blessings", _blessings, lambda x: x[x > 0].sum(), 2),
        _puzzle("bookends", _plain, _bookend, 3),
        _puzzle("origami", _squares, _fold, 2),
        _puzzle("snail", _races, _crawl, 3),
        _puzzle("elephant", _walks, np.cumsum, 3),
        _puzzle("shaken", _noises, _shake, 2),
        _puzzle("groundhog", _plain, lambda x: 1 / (1 + np.exp(-x)), 3),
        _puzzle(
            "sips",
            _sips,
            lambda x, n: x[:n].sum(),
            2,
            compilations=Compilations(each_once=True),
        ),
    ),
)
