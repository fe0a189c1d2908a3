"""Mixed quiz 2: gradients at zero, counters, loops, and what must be known while tracing."""

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


def descents(rng: np.random.Generator) -> list[tuple]:
    """A start and slopes, in three shapes; one slope alone, and many; a start comes again."""

    def drawn(steps: int, p: int) -> tuple:
        slopes = rng.normal(size=(steps, p)).astype(np.float32)
        return rng.normal(size=p).astype(np.float32), slopes

    calls = [drawn(3, 4), drawn(3, 4), drawn(1, 3), drawn(*LARGER)]
    B, slopes = calls[0]
    return [*calls, (B.copy(), np.full_like(slopes, rng.normal()))]


def descend(B: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Steps of sizes 1, 1/2, 1/3, ..."""
    for i, slope in enumerate(slopes):
        B = B - slope / (i + 1)
    return B


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


def tried() -> dict[str, str]:
    """Whether each function works under jit, by calling it."""

    def first_half(x):
        return x[: len(x) // 2]

    def up_to_largest(x):
        return jnp.arange(x.max())

    def absolute(x):
        return jax.vmap(lambda y: y if y > 0 else -y)(x)

    def in_one_row(x):
        return x.reshape(1, np.prod(x.shape))

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

    by_shape = (first_half, absolute, in_one_row, folded_until_one)
    return {f.__name__: outcome(f) for f in (*by_shape, up_to_largest, halved_until_small)}


rubric = Rubric(
    lesson="mixed_quiz_2",
    learned="to diagnose: NaN gradients, counters, loops, sizes",
    minutes=30,
    quiz=True,
    tries=2,
    exercises=(
        ProgramExercise(
            name="mixed_quiz_2_deviance",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("deviance",),
            draws=fitted,
            reference=deviance,
            gradient=0,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        BehaviourExercise(
            name="mixed_quiz_2_descend",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("descend",),
            draws=descents,
            reference=descend,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            compilations=Compilations(one_program=False),
        ),
        ProgramExercise(
            name="mixed_quiz_2_axis",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("principal_axis",),
            draws=covariances,
            reference=principal_axis,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            loop=Loop(1),
        ),
        Predictions(
            name="mixed_quiz_2_six",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("answers",),
            questions=read_questions(__file__, "mixed_quiz_2_six"),
            answers=tried,
            points={"outputs": 3},
        ),
    ),
)
