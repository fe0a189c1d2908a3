"""The ten puzzles before the first lesson: one broken line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import Comparison, Compilations, ProgramExercise
from autograder.model.rubric import Rubric

LONG = 150
"""Entries of the longest vector: more than anybody writes down."""


def _puzzle(
    name: str,
    draws: Callable[[np.random.Generator], list[tuple]],
    reference: Callable[..., Any] | Comparison,
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
    """Two keys (as key data) and a vector; some keys are those of two integers in a row."""

    def keys() -> np.ndarray:
        return rng.integers(0, 2**32, size=(2, 2), dtype=np.uint32)

    seed = rng.integers(0, 2**31)
    neighbours = np.array([[0, seed], [0, seed + 1]], np.uint32)
    first, second, long, one, equal, again = _vectors(rng)
    many = rng.normal(size=5000).astype(np.float32)
    drawn = (first, second, many, one, equal, again, long)
    return [(keys() if x is not second else neighbours, x) for x in drawn]


def _with_two_keys(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's function called with one key and then with another."""
    shaken = namespace["shaken"]

    def both(keys: Any, x: Any) -> tuple:
        wrapped = jax.random.wrap_key_data(jnp.asarray(keys))
        return shaken(wrapped[0], x), shaken(wrapped[1], x)

    return both


NOT_SHAPED = "it must return one array, of the shape of x."
KEY_UNUSED = (
    "another key gives the same noise. NumPy drew it while tracing, once and for all, or it comes "
    "from a fixed seed. Draw with the key: jax.random.normal(key, x.shape)."
)
ONE_FOR_ALL = (
    "several entries get the same noise. Draw a number for each: jax.random.normal(key, x.shape)."
)
NOT_NORMAL = (
    "the noise has mean {mean:.2f} and standard deviation {std:.2f}; the standard normal "
    "distribution has 0 and 1."
)
NOT_BELL = (
    "the noise has mean 0 and standard deviation 1, but is not normal: draw with jax.random.normal."
)
MEET_AGAIN = (
    "noise of one key is also noise of another. Give the key itself to jax.random, and make no "
    "seeds of it."
)


def _find_fault(args: tuple, got: list[np.ndarray]) -> str | None:
    """What is wrong with the noise of two keys."""
    _, x = args
    if len(got) != 2 or any(leaf.shape != x.shape for leaf in got):
        return NOT_SHAPED
    one, other = (leaf - x for leaf in got)
    if np.allclose(one, other, atol=1e-4):
        return KEY_UNUSED
    for noise in (one, other):
        if np.unique(noise.round(4)).size < 0.9 * noise.size:
            return ONE_FOR_ALL
        five_sigma = 5 / np.sqrt(noise.size)
        if not abs(noise.mean()) < five_sigma or not abs(noise.std() - 1) < five_sigma:
            return NOT_NORMAL.format(mean=noise.mean(), std=noise.std())
    if np.isclose(np.sort(one), np.sort(other), atol=1e-4).mean() > 0.5:
        return MEET_AGAIN
    both = np.concatenate([one, other])
    fourth = np.mean(both**4)  # 3 for a normal distribution, with variance 96
    return NOT_BELL if abs(fourth - 3) > 6 * np.sqrt(96 / both.size) else None


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
        _puzzle(
            "shaken",
            _noises,
            Comparison(_find_fault, paths=("[0]", "[1]")),
            2,
            adapter=_with_two_keys,
            compilations=Compilations(dispatches=2),
        ),
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
