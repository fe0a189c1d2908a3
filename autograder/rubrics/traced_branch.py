"""Lesson `traced_branch`: branches on data with lax.cond, jnp.where, lax.select and lax.switch."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import large_table


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
        drawn = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
        drawn.flat[0] = 0.0
        drawn.flat[1:2] = rng.integers(10**5, 10**7)
        return drawn

    first, equal = counts(5, 4), np.full((5, 4), rng.integers(2, 90), np.float32)
    tables = first, first.copy(), equal, large_table(rng), large_table(rng), counts(1)
    kinds = 0, 1, 2, 2, 1, 0
    return [(y, np.asarray(kind, np.int32)) for y, kind in zip(tables, kinds, strict=True)]


def transform(counts: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Logarithm of counts + 1, square root, or presence."""
    return (np.log1p(counts), np.sqrt(counts), (counts > 0).astype(counts.dtype))[int(kind)]


PURITY = (
    "A pure function gets everything through its arguments and gives everything back with return.",
    "The card names the line that changes or reads something outside. What does it need it for?",
    "Take prints, counters, lists and globals out of the function; return what you want to see.",
)

rubric = Rubric(
    lesson="traced_branch",
    learned="branches on data: cond, where, select, switch; what vmap does to them",
    minutes=25,
    exercises=(
        ProgramExercise(
            name="traced_branch",
            minutes=6,
            difficulty="easy",
            entry_points=("latent_variance",),
            draws=columns,
            reference=latent_variance,
            jaxpr=True,
            scales={"": 8.0},
            points={"outputs": 3, "purity": 1, "compilations": 2},
            hints={
                "outputs": (
                    "Which branch to take depends on the counts, so the program must hold both.",
                    "The test is one number: `lax.cond(test, f, g)` takes two functions, "
                    "`jnp.where(test, a, b)` two results. Both sides need the same dtype.",
                    "return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), "
                    "0.0)",
                ),
                "branch-on-data": (
                    "Python's `if` wants True or False now; the counts are not known yet.",
                    "Replace the `if` by `jnp.where(test, if_true, if_false)`: both are computed, "
                    "one is kept.",
                    "return jnp.where(variance > mean, jnp.log(...), 0.0), without any `if`.",
                ),
                "purity": PURITY,
                "compilations": (
                    "All of the function must be one program that serves all values.",
                    "Is `@jax.jit` still there, right above `def latent_variance`?",
                    "Keep `@jax.jit` on `latent_variance` itself, without static arguments, and "
                    "define the branches inside of it.",
                ),
            },
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="traced_branch_switch",
            minutes=7,
            difficulty="medium",
            entry_points=("transform",),
            draws=kinds,
            reference=transform,
            jaxpr=True,
            points={"outputs": 3, "purity": 1, "compilations": 2},
            hints={
                "outputs": (
                    "Three branches, chosen by an integer: one of the four ways is made for that.",
                    "`lax.switch(kind, [f, g, h], counts)` calls one of three functions of counts; "
                    "all must return the same dtype.",
                    "lax.switch(kind, [jnp.log1p, jnp.sqrt, lambda y: (y > 0).astype(y.dtype)], "
                    "counts)",
                ),
                "non-hashable-static": (
                    "`kind` is an array, and arrays cannot be static.",
                    "Leave `kind` traced: no static_argnums, and no Python `if` on it.",
                    "Use plain `@jax.jit`, and `lax.switch(kind, [...], counts)` in place of the "
                    "`if`s.",
                ),
                "purity": PURITY,
                "compilations": (
                    "One program for each shape serves all kinds.",
                    "Is `@jax.jit` still there, and are all three branches under it?",
                    "Keep `@jax.jit` on `transform` itself, and choose inside with `lax.switch`.",
                ),
            },
            compilations=Compilations(one_function=True),
        ),
    ),
)
