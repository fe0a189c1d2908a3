"""Lesson `static_branch`: TracerBoolConversionError mended with a static argument."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import large_table


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, in some shapes, and powers of either sign, some of them used twice.

    Small counts have a large power; some are all equal; one table is larger than the oaks.
    """

    def counts(*shape: int) -> np.ndarray:
        drawn = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
        drawn.flat[0] = 0.0
        drawn.flat[-1] = rng.integers(2, 90)
        return drawn

    first = counts(5, 4)
    first.flat[1] = rng.integers(3000, 9000)
    return [
        (first, 0),
        (counts(5, 4), 2),
        (counts(5, 4), 0),
        (counts(5, 4), int(rng.integers(3, 9))),
        (counts(5, 4), 1),
        (np.full((5, 4), rng.integers(1, 90), np.float32), 2),
        (large_table(rng), 2),
        (counts(7), -1),
        (counts(1, 1, 1), int(rng.integers(-6, -1))),
        (rng.integers(0, 3, size=(5, 4)).astype(np.float32), int(rng.integers(11, 16))),
    ]


def box_cox(counts: np.ndarray, power: int) -> np.ndarray:
    """Box and Cox (1964), equation 1, of ``counts + 1``."""
    if power == 0:
        return np.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


rubric = Rubric(
    lesson="static_branch",
    exercises=(
        ProgramExercise(
            name="static_branch",
            minutes=5,
            difficulty="easy",
            entry_points=("box_cox",),
            draws=draws,
            reference=box_cox,
            points={"outputs": 4, "purity": 2, "compilations": 3},
            hints={
                "outputs": (
                    "With which power is the result wrong? The card shows the call.",
                    "The formula has two cases: the logarithm for the power 0, and `((counts + "
                    "1) ** power - 1) / power` for all others, negative ones too. The counts "
                    "are floats, and stay floats.",
                    "Leave the `if` and both formulas as they were given: only the line with "
                    "`jax.jit` has to change.",
                ),
                "python-branch": (
                    "Python's `if` needs a value now, and `power` still is a tracer.",
                    "Leave the formula alone: only the line with `jax.jit` has to change.",
                    '`@partial(jax.jit, static_argnames="power")` in place of `@jax.jit`.',
                ),
                "non-hashable-static": (
                    "Something static is an array. Which argument holds an array?",
                    "Positions count from 0: `counts` is 0, `power` is 1. Only `power` is static, "
                    "and it must stay a plain integer on its way there.",
                    '`static_argnums=1`, or better by name: `static_argnames="power"`.',
                ),
                "purity": (
                    "A pure function only computes its result from its arguments.",
                    "Code in a jitted function runs while tracing, once for each program, not at "
                    "each call: a counter, a list or a print there tells something else than you "
                    "think.",
                    "Remove every line of `box_cox` that changes, prints or reads anything besides "
                    "`counts`, `power` and its own variables.",
                ),
                "compilations": (
                    "All of the work belongs in one jitted function that is made once.",
                    "Put jit on `box_cox` itself, as a decorator; do not call `jax.jit` inside, "
                    "where a new function would be made at each call.",
                    '`@partial(jax.jit, static_argnames="power")` directly above '
                    "`def box_cox(counts, power):`, and both formulas inside.",
                ),
            },
            compilations=Compilations(one_function=True),
        ),
    ),
    learned="Python branches under jit, static arguments, one compilation for each static value",
    minutes=20,
)
