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
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER
from autograder.rubrics._quiz import COMPILATIONS, PURITY
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
            hints={
                "outputs": (
                    "Is it the value or the gradient that the card names, and for how many years?",
                    "`years` steps, no more and no fewer, of which each adds `rate * x * (1 - "
                    "x)` to the `x` of the year before. The gradient goes through all of them.",
                    "`jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)` "
                    "with a static `years`.",
                ),
                "reverse-loop": (
                    "How many states of the loop does the way back need, and when is that known?",
                    "A gradient goes backwards through all states. Where the number of steps is "
                    "traced, nobody knows how many to keep. Here it is a setting.",
                    '`@partial(jax.jit, static_argnames="years")`: with a known number of steps, '
                    "`fori_loop` becomes a scan, which has a gradient.",
                ),
                "purity": PURITY,
                "compilations": (
                    "Is the program of 100 years larger than that of 10?",
                    "A Python loop is unrolled while tracing. A loop of `jax.lax` is not.",
                    "Keep the `jax.lax.fori_loop`, or use `jax.lax.scan` with `length=years`.",
                ),
            },
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
            hints={
                "outputs": (
                    "Print `count` after a call of `descend`. How often was 1 added?",
                    "Python runs `step` while tracing only, once for a shape. The count of that "
                    "moment is part of the program from then on.",
                    "Let `step(B, slope, count)` take the count as an argument, and pass `i + 1` "
                    "in `for i, slope in enumerate(slopes)`.",
                ),
                "purity": PURITY,
                "compilations": COMPILATIONS,
            },
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
            hints={
                "outputs": (
                    "Which row comes back for group -1, and which for one that is too large?",
                    "A program cannot raise an error for an index. JAX counts negative ones from "
                    "the end and takes the last row for those that are too large.",
                    "`known = (groups >= 0) & (groups < len(effects))`, then "
                    "`jnp.where(known[:, None], effects[groups], 0)`.",
                ),
                "purity": PURITY,
                "compilations": COMPILATIONS,
            },
        ),
        Predictions(
            name="mixed_quiz_4_five",
            minutes=5,
            difficulty="hard",
            entry_points=("answers",),
            questions={
                "by_shape": "The `if` looks at a length. Is that known while tracing?",
                "by_new_function": "jit looks programs up by the function object. Is it the same?",
                "by_dictionary": "What does the second call get? Its values are others.",
                "by_list": "The third call traces again. What does the list hold at its start?",
                "by_column": "The list begins empty at each call, and it is gone afterwards.",
            },
            answers=tried,
            points={"outputs": 3},
            hints={
                "outputs": (
                    "For each of the three calls: does Python run the function, and what has an "
                    "earlier call left behind?",
                    "The second call has the shape of the first, the third has a new one. What is "
                    "kept from call to call: a result, a tracer, a program, or nothing?",
                    "Two of the five are right. Run the three calls of each in their order, and "
                    "compare what they return with `centered`.",
                ),
            },
        ),
    ),
)
