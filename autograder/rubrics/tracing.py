"""Lesson `tracing`: when Python runs under jit, what it sees, and what a jaxpr says."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import Compilations, Predictions, ProgramExercise
from autograder.model.hints import read_questions
from autograder.model.rubric import Rubric


def answers() -> dict[str, Any]:
    """The right value of each question, by running what it asks about."""
    three, four = jnp.array([1.0, 2.0, 3.0]), jnp.array([1.0, 2.0, 3.0, 4.0])
    integers = three.astype(jnp.int32)
    weight = 2

    def sum_squared_error(a, b):
        print("Python runs, a is", a)
        return jnp.sum((a - b) ** 2)

    def weighted_sum(x):
        return weight * jnp.sum(x)

    def printed(function: Callable, *calls: tuple) -> list[str]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            for arguments in calls:
                function(*arguments)
        return out.getvalue().splitlines()

    def primitives(function: Callable) -> list[str]:
        with contextlib.redirect_stdout(io.StringIO()):
            jaxpr = jax.make_jaxpr(function)(three, three)
        return [equation.primitive.name for equation in jaxpr.eqns]

    def jitted() -> Callable:
        # jit's cache goes by the function: a copy begins with an empty one.
        return jax.jit(lambda a, b: sum_squared_error(a, b))

    same = [(three, three + i) for i in range(3)]
    lines = printed(jitted(), *same)
    weighted = jax.jit(weighted_sum)
    weighted(three)
    weight = 10
    return {
        "prints_plain": len(printed(sum_squared_error, *same)),
        "prints_jitted": len(lines),
        "prints_shapes": len(printed(jitted(), *[(x, x) for x in (three, four, three, four)])),
        "prints_dtypes": len(printed(jitted(), *[(x, x) for x in (three, integers, three)])),
        "shown": "tracer" if "Tracer" in lines[0] else "numbers",
        "primitives": primitives(sum_squared_error),
        "primitives_jitted": primitives(jitted()),
        "result_shape": list(jax.eval_shape(jitted(), three, three).shape),
        "old_weight": float(weighted(three)),
        "new_weight": float(weighted(four)),
    }


def draws(rng: np.random.Generator) -> list[tuple]:
    """Pairs of arrays of several shapes, one pair equal, one of all negative differences.

    In another pair all differences are positive. None of these are of one size: `max` and `abs`
    in the other order give another number. One array comes again, with another one.
    """

    def normal(*shape: int) -> np.ndarray:
        return rng.normal(scale=3.0, size=shape).astype(np.float32)

    first, equal, low, high = normal(3), np.full(3, 2.5, np.float32), normal(131), normal(2, 1, 4)
    steps = np.arange(1, 132, dtype=np.float32)
    return [
        (first, normal(3)),
        (first.copy(), normal(3)),
        (high, high - steps[:8].reshape(2, 1, 4)),
        (equal, equal.copy()),
        (low, low + steps),
        (normal(), normal()),
    ]


def error_and_largest(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum of squared errors and largest absolute difference."""
    difference = a - b
    return np.sum(difference**2), np.max(np.abs(difference))


rubric = Rubric(
    lesson="tracing",
    learned="when Python runs under jit, and reading a jaxpr",
    minutes=35,
    exercises=(
        Predictions(
            name="tracing",
            minutes=5,
            difficulty="easy",
            importance=3,
            entry_points=("answers",),
            questions=read_questions(__file__, "tracing"),
            answers=answers,
            points={"outputs": 5},
        ),
        ProgramExercise(
            name="tracing_print",
            minutes=4,
            difficulty="easy",
            importance=3,
            entry_points=("error_and_largest",),
            draws=draws,
            reference=error_and_largest,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            compilations=Compilations(one_function=True),
        ),
    ),
)
