"""Mixed quiz 1: settings, branches on data, what tracing leaves behind, and five diagnoses."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import Predictions, ProgramExercise
from autograder.model.hints import read_questions
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array
from plnkit.compile_counts import compile_counts


def table(rng: np.random.Generator, n: int, p: int) -> Array:
    """Counts (n, p) with zeros where p > 1, and at least one count at each site."""
    Y = rng.poisson(rng.gamma(0.8, 6.0, size=(n, p))).astype(np.float32)
    Y[:, -1] += 1
    Y[0, :-1] = 0
    return Y


def large(rng: np.random.Generator) -> Array:
    """Such counts, with more sites, more taxa and a larger count than the oaks have."""
    Y = table(rng, *LARGER)
    Y[-1, -1] = rng.integers(3000, 9000)
    return Y


def efforts(rng: np.random.Generator) -> list[tuple]:
    """Tables of three shapes, both schemes, some of them twice, and one table with both."""
    first, many = table(rng, 5, 4), large(rng)
    return [
        (first, "total"),
        (first.copy(), "largest"),
        (np.full((5, 4), rng.integers(1, 90), np.float32), "total"),
        (many, "largest"),
        (table(rng, 1, 1), "total"),
        (many.copy(), "total"),
    ]


def log_effort(counts: np.ndarray, scheme: str) -> np.ndarray:
    """The log of the total, or of the largest count, of each site."""
    return np.log(counts.sum(axis=1) if scheme == "total" else counts.max(axis=1))


def steps(rng: np.random.Generator) -> list[tuple]:
    """Steps of several shapes, longer and shorter than what is allowed; one of zeros, one tiny."""

    def step(length: float, *shape: int) -> np.ndarray:
        direction = rng.normal(size=shape)
        return (length * direction / np.linalg.norm(direction)).astype(np.float32)

    def longest() -> np.ndarray:
        return np.asarray(rng.uniform(0.5, 2.0), np.float32)

    first = step(5.0, 4, 3)
    drawn = [first, step(0.2, 4, 3), first.copy(), np.zeros((4, 3), np.float32)]
    drawn += [step(0.3, 6), step(4.0, *LARGER), step(9.0, 1, 1, 1)]
    small = step(3e-3, 6), np.asarray(rng.uniform(1e-3, 2e-3), np.float32)
    return [*((each, longest()) for each in drawn), small]


def shorten(step: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """The step, at most `longest` long."""
    length = np.sqrt(np.sum(step**2))
    return longest / length * step if length > longest else step


def tables(rng: np.random.Generator) -> list[tuple]:
    """Tables of other totals, in three shapes; the first shape comes again, and the first table."""
    tables = table(rng, 5, 4), table(rng, 5, 4), large(rng), table(rng, 1, 2)
    drawn = [each * np.float32(rng.integers(1, 9)) for each in tables]
    equal = np.full((5, 4), rng.integers(1, 90), np.float32)
    return [(each,) for each in (*drawn, equal, drawn[0].copy())]


def rescale(counts: np.ndarray) -> np.ndarray:
    """Each site with the mean total of the table."""
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * totals.mean()


def diagnoses() -> dict[str, str]:
    """What happens in three calls of each function, by calling it."""
    scale = 2.0

    @jax.jit
    def by_axes(x):
        return x.sum(axis=1) if x.ndim == 2 else x

    @jax.jit
    def by_total(x):
        return x / x.sum() if x.sum() > 0 else x

    @jax.jit
    def by_weights(x, weights=None):
        return x.sum(axis=1) if weights is None else x @ weights

    @partial(jax.jit, static_argnames="limit")
    def by_limit(x, limit):
        return jnp.minimum(x, limit)

    @jax.jit
    def by_scale(x):
        return scale * x

    x = jnp.arange(1.0, 13.0).reshape(4, 3)
    tables = [(x + i,) for i in range(3)]

    def observe(function: Any, calls: list[tuple]) -> str:
        nonlocal scale
        scale, compiled, agree = 2.0, 0, True
        for i, call in enumerate(calls):
            scale = 10.0 if i == 2 else scale
            try:
                with compile_counts() as counted:
                    result = function(*call)
            except jax.errors.JAXTypeError:
                return "error"
            compiled += counted["compilations"]
            agree = agree and bool(jnp.array_equal(result, function.__wrapped__(*call)))
        if not agree:
            return "old value"
        return "works" if compiled == 1 else "compiles again"

    with_limits = [(*table, 10 * (i + 1)) for i, table in enumerate(tables)]
    return {
        "by_axes": observe(by_axes, tables),
        "by_total": observe(by_total, tables),
        "by_weights": observe(by_weights, tables),
        "by_limit": observe(by_limit, with_limits),
        "by_scale": observe(by_scale, tables),
    }


rubric = Rubric(
    lesson="mixed_quiz_1",
    learned="to diagnose: which of the ideas so far is behind it?",
    minutes=30,
    quiz=True,
    tries=2,
    exercises=(
        ProgramExercise(
            name="mixed_quiz_1_effort",
            minutes=3,
            difficulty="easy",
            importance=2,
            entry_points=("log_effort",),
            draws=efforts,
            reference=log_effort,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_1_shorten",
            minutes=3,
            difficulty="easy",
            importance=2,
            entry_points=("shorten",),
            draws=steps,
            reference=shorten,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_1_rescale",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("rescale",),
            draws=tables,
            reference=rescale,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        Predictions(
            name="mixed_quiz_1_diagnoses",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("answers",),
            questions=read_questions(__file__, "mixed_quiz_1_diagnoses"),
            answers=diagnoses,
            points={"outputs": 5},
        ),
    ),
)
