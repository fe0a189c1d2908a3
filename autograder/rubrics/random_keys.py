"""Lesson `random_keys`: noise that is independent between years, sites and taxa."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import Comparison, Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array

KEPT = np.float32(0.9)
"""What a year keeps of a log abundance."""


def draws(rng: np.random.Generator) -> list[tuple]:
    """Two keys, as key data, log abundances, scales and years.

    In one call the keys are those of two integers in a row; one has a single site, one a single
    year, one more sites and taxa than the oaks. The scales of the first come again, with equal
    log abundances.
    """

    def call(sites: int, taxa: int, years: int) -> tuple:
        keys = rng.integers(0, 2**32, size=(2, 2), dtype=np.uint32)
        z = rng.normal(scale=5.0, size=(sites, taxa)).astype(np.float32)
        return keys, z, rng.uniform(0.2, 0.8, size=taxa).astype(np.float32), years

    first, (_, z, scale, years) = call(6, 7, 12), call(6, 7, 12)
    seed = rng.integers(0, 2**31)
    neighbours = np.array([[0, seed], [0, seed + 1]], np.uint32)
    keys, *_ = call(1, 1, 1)
    equal = np.full_like(first[1], rng.uniform(2, 4))
    return [
        first,
        (neighbours, z, scale, years),
        (keys, equal, first[2].copy(), 12),
        call(1, 9, 40),
        call(30, 8, 1),
        call(*LARGER, 3),
    ]


def draw_loops(rng: np.random.Generator) -> list[tuple]:
    """Numbers of years, of which the last is larger than the notebook's."""
    few, (*first, _) = int(rng.integers(12, 24)), draws(rng)[0]
    return [(*first, few + more) for more in (0, 20, 54)]


def with_two_keys(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's function called with one key and then with another."""
    simulate = namespace["simulate"]

    def both(keys: Any, z: Any, scale: Any, years: int) -> tuple:
        wrapped = jax.random.wrap_key_data(jnp.asarray(keys))
        return simulate(wrapped[0], z, scale, years), simulate(wrapped[1], z, scale, years)

    return both


WRONG_SHAPE = (
    "`simulate` returns {got}, and it should return one table for each year: an array of shape "
    "{expected}."
)
NOT_FINITE = "a log abundance is infinite or NaN."
NOT_NORMAL = (
    "what a year adds to `0.9 * z`, over the scale of its taxon, should have mean 0 and standard "
    "deviation 1, but has {mean:.2f} and {std:.2f}. A year is `0.9 * z + scale * noise`, with "
    "standard normal noise."
)
NOT_BELL = (
    "the noise has mean 0 and standard deviation 1, but is not normal: the mean of its fourth "
    "powers is {fourth:.2f}, and should be 3. Draw with `jax.random.normal`."
)
KEY_UNUSED = (
    "another key gives the same noise. It does not depend on `key`: it was drawn while tracing, or "
    "with a key of a fixed number. Make all keys of the argument `key`."
)
FIRST_TABLE = (
    "the first table is the same with another key. The result begins with the table after the "
    "first year: `z` itself is not part of it."
)
SAME_YEARS = (
    "years {a} and {b} have the same noise at site {where}. A key that the body of a scan takes "
    "from outside, or that it carries without changing it, is the same at each step: scan over "
    "`jax.random.split(key, years)`, or fold in the number of the year."
)
SAME_SITES = (
    "sites {a} and {b} have the same noise in year {where}. A key that `vmap` does not map over is "
    "the same for all rows: make a key for each site, and map over them."
)
SAME_TAXA = (
    "taxa {a} and {b} have the same noise. Draw as many numbers as there are entries: "
    "`jax.random.normal(key, z.shape)`."
)
SHARED = (
    "site {a} in year {b} has the same noise as site {c} in year {d}. Two numbers must not be "
    "added up, or multiplied, to make one key: fold in one and then the other, or split twice."
)
NEIGHBOURS = (
    "noise of one key comes again with another key. Make keys of `key` with `jax.random.split` and "
    "`jax.random.fold_in` alone."
)
KEY_USED_AGAIN = (
    "the first year is drawn with `key` itself, and what the later years need is made of that key "
    "as well. A key that was drawn with must not be split: split first, and draw with what comes "
    "of it."
)
DEPENDENT = (
    "the noise of one year and that of the next are not independent: their correlation is {r:.2f}. "
    "Use a key of its own for each."
)
_CLOSE = 1e-3
"""Noise is known but for the rounding of log abundances, over their scale."""


def find_fault(args: tuple, got: list[np.ndarray]) -> str | None:
    """Return what is wrong with the paths of two keys."""
    keys, z, scale, years = args
    shape = (years, *z.shape)
    if len(got) != 2 or any(leaf.shape != shape for leaf in got):
        return WRONG_SHAPE.format(got=f"shape {got[0].shape}" if got else "nothing", expected=shape)
    if not all(np.isfinite(leaf).all() for leaf in got):
        return NOT_FINITE
    before = [np.concatenate([z[None], leaf[:-1]]) for leaf in got]
    noise = np.stack([(new - KEPT * old) / scale for new, old in zip(got, before, strict=True)])
    return (
        _repeated(noise)
        or _not_normal(noise)
        or _used_again(keys[0], noise[0])
        or _dependent(noise)
    )


def _repeated(noise: Array) -> str | None:
    """Return whose noise comes again, in any order of the taxa.

    Args:
        noise: by key, year, site and taxon.
    """
    _, years, sites, taxa = noise.shape
    ordered = np.sort(noise, axis=-1)
    same = np.abs(ordered[0] - ordered[1]).reshape(years, -1).max(axis=1) < _CLOSE
    if same[0]:
        return KEY_UNUSED if same.all() else FIRST_TABLE
    columns = noise[0].reshape(-1, taxa).T
    for a, b in _equal_pairs(columns) if years * sites > 3 else ():
        return SAME_TAXA.format(a=a, b=b)
    for axis, text in ((1, SAME_YEARS), (2, SAME_SITES)):
        apart = np.abs(np.diff(ordered, axis=axis)).max(axis=-1) < _CLOSE
        if apart.any():
            _, year, site = (int(i) for i in np.argwhere(apart)[0])
            a, where = (year, site) if axis == 1 else (site, year)
            return text.format(a=a, b=a + 1, where=where)
    for first, second in _equal_pairs(ordered.reshape(-1, taxa)):
        (key, b, a), (other, d, c) = (np.unravel_index(i, noise.shape[:3]) for i in (first, second))
        return NEIGHBOURS if key != other else SHARED.format(a=a, b=b, c=c, d=d)
    return None


def _equal_pairs(rows: Array) -> list[tuple[int, int]]:
    """Return the first pair of rows that are equal, if there is one.

    Equal rows are next to each other, or nearly, when they are ordered by their first entries.
    """
    order = np.argsort(rows[:, 0], kind="stable")
    ordered = rows[order]
    for step in range(1, min(9, len(rows))):
        near = np.abs(ordered[step:] - ordered[:-step]).max(axis=1) < _CLOSE
        if near.any():
            at = int(np.argmax(near))
            first, second = sorted((int(order[at]), int(order[at + step])))
            return [(first, second)]
    return []


def _not_normal(noise: Array) -> str | None:
    six_sigma = 6 / np.sqrt(noise.size)
    mean, std = noise.mean(dtype=np.float64), noise.std(dtype=np.float64)
    if abs(mean) > six_sigma or abs(std - 1) > six_sigma:
        return NOT_NORMAL.format(mean=mean, std=std)
    fourth = np.mean((noise.astype(np.float64) / std) ** 4)
    if abs(fourth - 3) > 6 * np.sqrt(24 / noise.size):  # six standard errors
        return NOT_BELL.format(fourth=fourth)
    return None


def _used_again(key: Array, noise: Array) -> str | None:
    """Return whether only the first year's noise is that of the key itself."""
    numbers = jax.random.normal(jax.random.wrap_key_data(jnp.asarray(key)), (noise.size,))
    same = np.abs(noise.ravel() - np.asarray(numbers)) < _CLOSE
    return KEY_USED_AGAIN if same[: noise[0].size].all() and not same.all() else None


def _dependent(noise: Array) -> str | None:
    one, next_one = noise[:, :-1].ravel(), noise[:, 1:].ravel()
    if one.size < 100:
        return None
    r = float(np.corrcoef(one, next_one)[0, 1])
    return DEPENDENT.format(r=r) if abs(r) > 6 / np.sqrt(one.size) else None


rubric = Rubric(
    lesson="random_keys",
    learned="a key for each step of a scan and each row of a vmap: split, fold_in, key reuse",
    minutes=30,
    track="At work",
    exercises=(
        ProgramExercise(
            name="random_keys",
            minutes=9,
            difficulty="medium",
            importance=2,
            entry_points=("simulate",),
            draws=draws,
            adapter=with_two_keys,
            reference=Comparison(find_fault, paths=("[0]", "[1]")),
            points={"outputs": 4, "purity": 1, "compilations": 2},
            loop=Loop(3, draws=draw_loops),
            compilations=Compilations(dispatches=2),
        ),
    ),
)
