"""Mixed quiz 4: gradients through loops, counters, indices out of range, and five diagnoses."""

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
from plnkit.compile_counts import compile_counts


def growths(rng: np.random.Generator) -> list[tuple]:
    """Rates and starts of some shapes; several years, one, none, and more than a lifetime.

    The rates of the first come again with equal starts.
    """

    def drawn(p: int, years: int, highest: float = 0.2) -> tuple:
        rate = rng.uniform(highest / 4, highest, size=p).astype(np.float32)
        return rate, rng.uniform(0.1, 0.5, size=p).astype(np.float32), years

    calls = [drawn(4, 6), drawn(4, 6), drawn(LARGER[0], 11), drawn(1, 0), drawn(2, 130, 0.02)]
    rate, *_ = calls[0]
    return [*calls, (rate.copy(), np.full_like(rate, 0.3), 1)]


def grown(rate: jax.Array, start: jax.Array, years: int) -> jax.Array:
    """Logistic growth, one year after the other."""
    x = start + 0 * rate
    for _ in range(years):
        x = x + rate * x * (1 - x)
    return x


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


def groupings(rng: np.random.Generator) -> list[tuple]:
    """Effects of groups, and the group of each site: known, below 0, and too large.

    There are more of all than the oaks have; no group is known, and all sites are of one.
    """

    def drawn(k: int, p: int, n: int) -> tuple:
        effects = rng.normal(size=(k, p)).astype(np.float32)
        groups = rng.integers(0, k, size=n + 5).astype(np.int32)
        groups[:5] = -1, k, -k, k + 7, -k - 1
        groups[5:7] = (0, k - 1)[:n]  # the first and the last that there are
        return effects, rng.permutation(groups)

    calls = [drawn(4, 3, 6), drawn(4, 3, 6), drawn(130, *LARGER[::-1]), drawn(1, 1, 1)]
    effects, groups = calls[0]
    unknown = rng.choice([-1000, -1, 4, 1000], size=groups.shape).astype(np.int32)
    return [*calls, (effects.copy(), unknown), (effects.copy(), np.full_like(groups, 2))]


def group_effects(effects: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The row of each site's group; zeros where there is no such group."""
    zeros = np.zeros_like(effects[0])
    rows = [effects[g] if 0 <= g < len(effects) else zeros for g in groups]
    return np.stack(rows)


def tried() -> dict[str, str]:
    """What happens to each function, by calling it."""

    def centered(Y):
        return Y - Y.mean(axis=0)

    @jax.jit
    def by_shape(Y):
        if len(Y) == 1:
            return jnp.zeros_like(Y)
        return centered(Y)

    def by_new_function(Y):
        return jax.jit(lambda Y: centered(Y))(Y)

    kept = {}

    def by_dictionary(Y):
        if Y.shape not in kept:
            kept[Y.shape] = jax.jit(centered)(Y)
        return kept[Y.shape]

    means = []

    @jax.jit
    def by_list(Y):
        means.append(Y.mean(axis=0))
        return Y - means[0]

    @jax.jit
    def by_column(Y):
        columns = []
        for column in Y.T:
            columns.append(column - column.mean())
        return jnp.stack(columns, axis=1)

    Y = jnp.arange(24.0).reshape(6, 4)
    calls = [Y, 2 * Y, Y[:3]]
    right = [np.asarray(each) - np.asarray(each).mean(axis=0) for each in calls]

    def happens(function: Any) -> str:
        try:
            with compile_counts() as counted:
                got = [np.asarray(function(each)) for each in calls]
        except Exception:
            return "error"
        if not all(np.allclose(one, other) for one, other in zip(got, right, strict=True)):
            return "wrong"
        return "compiles" if counted["compilations"] > 2 else "right"

    five: tuple[Any, ...] = (by_shape, by_new_function, by_dictionary, by_list, by_column)
    return {function.__name__: happens(function) for function in five}


rubric = Rubric(
    lesson="mixed_quiz_4",
    learned="to diagnose: everything before the capstone",
    minutes=20,
    quiz=True,
    exercises=(
        ProgramExercise(
            name="mixed_quiz_4_grown",
            minutes=5,
            difficulty="medium",
            entry_points=("grown",),
            draws=growths,
            reference=grown,
            gradient=0,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            loop=Loop(2),
        ),
        BehaviourExercise(
            name="mixed_quiz_4_descend",
            minutes=5,
            difficulty="medium",
            entry_points=("descend",),
            draws=descents,
            reference=descend,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            compilations=Compilations(one_program=False),
        ),
        ProgramExercise(
            name="mixed_quiz_4_groups",
            minutes=5,
            difficulty="medium",
            entry_points=("group_effects",),
            draws=groupings,
            reference=group_effects,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        Predictions(
            name="mixed_quiz_4_five",
            minutes=5,
            difficulty="hard",
            entry_points=("answers",),
            questions=read_questions(__file__, "mixed_quiz_4_five"),
            answers=tried,
            points={"outputs": 3},
        ),
    ),
)
