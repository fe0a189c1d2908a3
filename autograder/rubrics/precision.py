"""Lesson `precision`: data in bfloat16, a fit in float32."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array, large_table


def _shorten(array: Array) -> Array:
    """Round to numbers that bfloat16 holds, which are float32 without their last 16 bits."""
    bits = array.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, offsets, a rate, which is data, and steps.

    Counts and offsets are numbers that bfloat16 holds. One table is larger than the oaks, one is a
    single count; the offsets of the first come with equal counts.
    """

    def call(n: int, p: int, steps: int) -> tuple:
        counts = rng.poisson(rng.gamma(1.0, 6.0, size=(n, p))).astype(np.float32)
        counts.flat[0] = 0.0
        offsets = rng.normal(scale=0.3, size=(n, p)).astype(np.float32)
        rate = np.asarray(rng.uniform(0.02, 0.05) * p, np.float32)
        return _shorten(counts), _shorten(offsets), rate, steps

    calls = [call(6, 4, 40), call(6, 4, 40), call(1, 1, 1)]
    Y, O = large_table(rng), rng.normal(scale=0.3, size=LARGER).astype(np.float32)
    counts, offsets, rate, steps = calls[0]
    equal = np.full_like(counts, rng.integers(1, 9)), offsets.copy(), rate * np.float32(2), steps
    return [*calls, (_shorten(Y), _shorten(O), np.asarray(0.05, np.float32), 3), equal]


def draw_loops(rng: np.random.Generator) -> list[tuple]:
    """Numbers of steps as for any loop, and one that is larger than the notebook's."""
    few, (*first, _) = int(rng.integers(12, 24)), draws(rng)[0]
    return [(*first, few + more) for more in (0, 20, 54, 440)]


def in_both(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's fit of data in bfloat16, and of the same data in float32."""
    fit = namespace["fit"]

    def both(Y: Any, O: Any, rate: Any, steps: int) -> tuple:
        short = jnp.asarray(Y, jnp.bfloat16), jnp.asarray(O, jnp.bfloat16)
        return fit(*short, rate, steps), fit(Y, O, rate, steps)

    return both


def fits(Y: Array, O: Array, rate: Array, steps: int) -> tuple:
    """The same result twice: gradient descent on the mean loss, and the loss before each step."""
    b, losses = np.zeros_like(Y[0]), []
    for _ in range(steps):
        eta = O + b
        losses.append((np.exp(eta) - Y * eta).mean(dtype=Y.dtype))
        b = b - rate * (np.exp(eta) - Y).sum(axis=0) / Y.dtype.type(Y.size)
    return ((b, np.stack(losses)),) * 2


rubric = Rubric(
    lesson="precision",
    learned="weak types, bfloat16, matmul precision, float64 and why it is slower",
    minutes=30,
    track="At work",
    exercises=(
        ProgramExercise(
            name="precision",
            minutes=8,
            difficulty="easy",
            importance=2,
            entry_points=("fit",),
            draws=draws,
            reference=fits,
            adapter=in_both,
            points={"outputs": 4, "purity": 1, "compilations": 2},
            loop=Loop(3, draws=draw_loops),
            compilations=Compilations(programs=2, dispatches=2),
        ),
    ),
)
