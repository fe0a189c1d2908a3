"""Mixed quiz 2: gradients at zero, sizes that depend on data, loops, and steps that are lost."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import (
    BehaviourExercise,
    Compilations,
    Loop,
    Predictions,
    ProgramExercise,
)
from autograder.model.hints import read_questions
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER
from autograder.rubrics._quiz import large, table


def fitted(rng: np.random.Generator) -> list[tuple]:
    """Means and counts with zeros, in several shapes, and one count of zero, without axes.

    Some counts are all zero; some come with two means.
    """

    def pair(*shape: int) -> tuple[np.ndarray, np.ndarray]:
        counts = rng.poisson(rng.gamma(0.6, 9.0, size=shape)).astype(np.float32)
        counts.flat[0] = 0
        return rng.uniform(0.3, 12.0, size=shape).astype(np.float32), counts

    (mean, count), first, large = pair(1), pair(5, 4), pair(*LARGER)
    large[1].flat[-1] = rng.integers(3000, 9000)
    calls = [first, (pair(5, 4)[0], np.zeros((5, 4), np.float32)), large, (mean[0], count[0])]
    return [*calls, pair(2, 1, 3), (pair(5, 4)[0], first[1].copy())]


def deviance(means: jax.Array, counts: jax.Array) -> jax.Array:
    """The deviance of a Poisson count, with its gradient."""
    safe = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(safe / means) - counts + means)


def taxa(rng: np.random.Generator) -> list[tuple]:
    """Counts of one taxon: found here and there, everywhere, nowhere; at few and many sites."""
    drawn = [table(rng, 9, 5)[:, column] for column in (1, 2, 4)]
    drawn += [np.zeros(9, np.float32), table(rng, 1, 2)[:, 1], large(rng)[:, -1]]
    return [(y,) for y in (*drawn, drawn[0].copy())]


def level_where_found(counts: np.ndarray) -> np.ndarray:
    """The mean log of the counts that are not zero; 0 if all are."""
    found = counts[counts > 0]
    return np.log(found).mean() if found.size else np.zeros((), counts.dtype)


def covariances(rng: np.random.Generator) -> list[tuple]:
    """Covariance matrices of three sizes; several turns, one and none. One comes with two."""

    def drawn(p: int) -> np.ndarray:
        root = rng.normal(size=(p, p))
        return (root @ root.T / p + np.eye(p)).astype(np.float32)

    first, equal = drawn(4), np.full((4, 4), rng.uniform(1, 2), np.float32)
    some = [(first, 3), (equal, 3), (first.copy(), 1), (drawn(4), 0)]
    return [*some, (drawn(LARGER[1]), 12), (drawn(1), 2)]


def principal_axis(Sigma: np.ndarray, turns: int) -> np.ndarray:
    """Power iterations from the first unit vector."""
    axis = np.eye(len(Sigma), dtype=Sigma.dtype)[0]
    for _ in range(turns):
        axis = Sigma @ axis
        axis = axis / np.sqrt(np.sum(axis**2))
    return axis


def climbs(rng: np.random.Generator) -> list[tuple]:
    """Starts away from zero, counts, rates, which are data, and numbers of steps.

    The last start is the first, with other counts, all equal.
    """

    def drawn(n: int, p: int, steps: int) -> tuple:
        params = {
            "B": rng.normal(scale=0.4, size=p).astype(np.float32),
            "M": rng.normal(scale=0.4, size=(n, p)).astype(np.float32),
        }
        rate = np.asarray(rng.uniform(0.01, 0.04), np.float32)
        return params, table(rng, n, p), rate, steps

    first, *others = [drawn(*s) for s in ((5, 4, 3), (5, 4, 3), (5, 4, 1), (1, 2, 4), (*LARGER, 2))]
    params = {name: x.copy() for name, x in first[0].items()}
    return [first, *others, (params, np.full((5, 4), 3, np.float32), *first[2:])]


def climb(params: dict, Y: np.ndarray, rate: np.ndarray, steps: int) -> dict:
    """Gradient ascent on the Poisson likelihood, with M standard normal."""
    B, M = params["B"], params["M"]
    for _ in range(steps):
        slope = Y - np.exp(B + M)
        B, M = B + rate * slope.mean(axis=0), M + rate * (slope - M)
    return {"B": B, "M": M}


def tried() -> dict[str, str]:
    """Whether each function works under jit, by calling it."""

    def first_half(x):
        return x[: len(x) // 2]

    def up_to_largest(x):
        return jnp.arange(x.max())

    def in_pairs(x):
        return x.reshape(-1, 2).sum(axis=1)

    def in_one_row(x):
        return x.reshape(1, jnp.prod(jnp.array(x.shape)))

    def halved_until_small(x):
        while x.sum() > 1:
            x = x / 2
        return x

    def folded_until_one(x):
        while len(x) > 1:
            x = x[: len(x) // 2] + x[len(x) // 2 :]
        return x

    def outcome(function: Any) -> str:
        try:
            jax.jit(function)(jnp.arange(8.0))
        except Exception:
            return "error"
        return "works"

    by_shape = (first_half, in_pairs, in_one_row, folded_until_one)
    return {f.__name__: outcome(f) for f in (*by_shape, up_to_largest, halved_until_small)}


rubric = Rubric(
    lesson="mixed_quiz_2",
    learned="to diagnose: NaN gradients, sizes, loops, steps without effect",
    minutes=20,
    quiz=True,
    exercises=(
        ProgramExercise(
            name="mixed_quiz_2_deviance",
            minutes=4,
            difficulty="medium",
            entry_points=("deviance",),
            draws=fitted,
            reference=deviance,
            gradient=0,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_2_level",
            minutes=4,
            difficulty="easy",
            entry_points=("level_where_found",),
            draws=taxa,
            reference=level_where_found,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_2_axis",
            minutes=4,
            difficulty="medium",
            entry_points=("principal_axis",),
            draws=covariances,
            reference=principal_axis,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            loop=Loop(1),
        ),
        BehaviourExercise(
            name="mixed_quiz_2_climb",
            minutes=4,
            difficulty="medium",
            entry_points=("climb",),
            draws=climbs,
            reference=climb,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            compilations=Compilations(dispatches=4),
        ),
        Predictions(
            name="mixed_quiz_2_six",
            minutes=4,
            difficulty="medium",
            entry_points=("answers",),
            questions=read_questions(__file__, "mixed_quiz_2_six"),
            answers=tried,
            points={"outputs": 3},
        ),
    ),
)
