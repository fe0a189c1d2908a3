"""Lesson `traced_branch`: branches on data with lax.cond, jnp.where, lax.select and lax.switch."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import large_table, sparse_counts


def columns(rng: np.random.Generator) -> list[tuple]:
    """Counts of one species: spread out, even, all zero, a single one, large, rare, at most 1."""

    def spread(n: int) -> np.ndarray:
        drawn = rng.poisson(rng.gamma(0.5, 20.0, size=n)).astype(np.float32)
        drawn[:2] = 0.0, 60.0
        return drawn

    def even(n: int) -> np.ndarray:
        return (rng.integers(3, 30) + np.arange(n) % 2).astype(np.float32)

    single = rng.integers(1, 9, size=1).astype(np.float32)
    zeros = np.zeros(12, np.float32)
    large = rng.integers(10**3, 10**7, size=12).astype(np.float32)
    rare, present = zeros.copy(), (np.arange(12) < rng.integers(2, 11)).astype(np.float32)
    rare[rng.integers(12)] = rng.integers(2, 6)
    some = spread(12), even(12), spread(12), zeros, spread(131), even(131), single, large
    return [(y,) for y in (*some, rare, present, present.copy())]


def latent_variance(counts: np.ndarray) -> np.ndarray:
    """Moment estimate: Var Y = m + m^2 (exp(variance) - 1) for counts of mean m."""
    mean, variance = counts.mean(), counts.var()
    if variance > mean:
        return np.log(1 + (variance - mean) / mean**2)
    return np.zeros_like(mean)


def kinds(rng: np.random.Generator) -> list[tuple]:
    """Tables with zeros, in three shapes; the kind is data. One table comes with two kinds."""

    def counts(*shape: int) -> np.ndarray:
        drawn = sparse_counts(rng, *shape)
        drawn.flat[1:2] = rng.integers(10**5, 10**7)
        return drawn

    first, equal = counts(5, 4), np.full((5, 4), rng.integers(2, 90), np.float32)
    tables = first, first.copy(), equal, large_table(rng), large_table(rng), counts(1)
    kinds = 0, 1, 2, 2, 1, 0
    return [(y, np.asarray(kind, np.int32)) for y, kind in zip(tables, kinds, strict=True)]


def transform(counts: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Logarithm of counts + 1, square root, or presence."""
    return (np.log1p(counts), np.sqrt(counts), (counts > 0).astype(counts.dtype))[int(kind)]


rubric = Rubric(
    lesson="traced_branch",
    learned="branches on data: cond, where, select, switch; what each of them computes",
    minutes=35,
    exercises=(
        ProgramExercise(
            name="traced_branch",
            minutes=5,
            difficulty="easy",
            importance=3,
            entry_points=("latent_variance",),
            draws=columns,
            reference=latent_variance,
            jaxpr=True,
            scales={"": 8.0},
            points={"outputs": 3, "purity": 1, "compilations": 2},
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="traced_branch_switch",
            minutes=5,
            difficulty="medium",
            importance=2,
            entry_points=("transform",),
            draws=kinds,
            reference=transform,
            jaxpr=True,
            points={"outputs": 3, "purity": 1, "compilations": 2},
            compilations=Compilations(one_function=True),
        ),
    ),
)
