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
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER
from autograder.rubrics._quiz import COMPILATIONS, PURITY, large, table


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


KNOWN = "The size is taken from the shape, in plain Python. Is that known while tracing?"

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
            hints={
                "outputs": (
                    "At which counts is the gradient NaN? Compute it for a count of 0 alone.",
                    "The `where` comes after the logarithm. It hides the value of log(0), but the "
                    "gradient still goes through it, and 0 times infinity is NaN.",
                    "`safe = jnp.where(counts == 0, 1.0, counts)`, and "
                    "`counts * jnp.log(safe / means)`: no logarithm ever sees a zero.",
                ),
                "purity": PURITY,
                "compilations": COMPILATIONS,
            },
        ),
        ProgramExercise(
            name="mixed_quiz_2_level",
            minutes=4,
            difficulty="easy",
            entry_points=("level_where_found",),
            draws=taxa,
            reference=level_where_found,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            hints={
                "outputs": (
                    "Try a taxon that was found nowhere, and counts of 0, 1 and 2 by hand.",
                    "Only the counts above zero are averaged: the others add nothing, neither "
                    "to the sum of the logs nor to the number of sites.",
                    "`logs = jnp.log(jnp.where(found, counts, 1.0))` with `found = counts > 0`; "
                    "then `logs.sum() / jnp.maximum(found.sum(), 1)`.",
                ),
                "boolean-index": (
                    "How long is `found`? What does that depend on?",
                    "The shape of every array must be known before the program runs. Keep all "
                    "counts, and let those that are zero add nothing, neither to the sum nor to "
                    "the number of sites.",
                    "`logs = jnp.log(jnp.where(found, counts, 1.0))` with `found = counts > 0`; "
                    "then `logs.sum() / jnp.maximum(found.sum(), 1)`.",
                ),
                "purity": PURITY,
                "compilations": COMPILATIONS,
            },
        ),
        ProgramExercise(
            name="mixed_quiz_2_axis",
            minutes=4,
            difficulty="medium",
            entry_points=("principal_axis",),
            draws=covariances,
            reference=principal_axis,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            hints={
                "outputs": (
                    "How many turns has the call that the card shows? What should none give?",
                    "Each turn multiplies by the matrix and scales the result to length 1. It "
                    "starts from the first unit vector, which no turns return as it is.",
                    "`axis = Sigma @ axis`, then `axis / jnp.sqrt(jnp.sum(axis**2))`, `turns` "
                    "times.",
                ),
                "carry-type": (
                    "Which two types does the error compare? Which of them is the right one?",
                    "What a step returns must be of the type that it got. Here the step is right: "
                    "look for what it gets first.",
                    "In `first_axis`, leave out `dtype=int`: `jnp.eye(p)[0]`.",
                ),
                "purity": PURITY,
                "compilations": (
                    "Is the program of 100 turns larger than that of 10?",
                    "Python unrolls its own loops while tracing. `jax.lax.scan` records its step "
                    "once.",
                    "Keep `@partial(jax.jit, static_argnames='turns')` and the `jax.lax.scan` that "
                    "you were given.",
                ),
            },
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
            hints={
                "outputs": (
                    "Print `params['B']` in `climb`, before and after `step`. Then print what "
                    "`step` returns.",
                    "A jitted function gets a dictionary of its own, made of tracers. What it "
                    "changes there, nobody else sees. Only what it returns leaves it.",
                    "Let `step` end with `return {'B': ..., 'M': ...}`, and write "
                    "`params = step(params, Y, rate)` in the loop.",
                ),
                "purity": (
                    "Look at the caller's dictionary after the call.",
                    "`params` in `climb` is the caller's own dictionary: nothing may be written "
                    "into it.",
                    "`params = step(params, Y, rate)` gives the name to a new dictionary, and "
                    "leaves the old one alone. `params.update(...)` and `params['B'] = ...` don't.",
                ),
                "compilations": COMPILATIONS,
            },
            compilations=Compilations(dispatches=4),
        ),
        Predictions(
            name="mixed_quiz_2_six",
            minutes=4,
            difficulty="medium",
            entry_points=("answers",),
            questions={
                "first_half": KNOWN,
                "up_to_largest": "How many numbers does `jnp.arange` make here, and who knows it?",
                "in_pairs": "`-1` stands for what is left of a known size.",
                "in_one_row": "Every result of `jax.numpy` is a tracer here, also that of a shape.",
                "halved_until_small": "`while` needs True or False before the program runs.",
                "folded_until_one": f"{KNOWN} If so, Python's `while` can use it.",
            },
            answers=tried,
            points={"outputs": 3},
            hints={
                "outputs": (
                    "For each function: which number must be known before the program runs, and "
                    "what does it depend on?",
                    "Shapes and lengths are plain numbers while tracing. Values of arrays are not, "
                    "and neither is what `jax.numpy` makes of a shape.",
                    "Three of them work: those whose sizes and loops depend on lengths only, in "
                    "plain Python. Or run them: `jax.jit(first_half)(jnp.arange(8.0))`.",
                ),
            },
        ),
    ),
)
