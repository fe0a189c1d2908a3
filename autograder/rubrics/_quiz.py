"""What the mixed quizzes share: draws of counts, and hints that name no lesson."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER, Array

PURITY = (
    "A pure function gets everything through its arguments, gives everything back with `return`, "
    "and leaves nothing behind.",
    "The finding names the line that reads, changes or prints something outside of the function. "
    "What does the function need it for?",
    "Give the function what it needs as an argument, return what is new, and delete the line.",
)
COMPILATIONS = (
    "Call the function twice with other numbers of the same shape. What is done again?",
    "All of the work belongs in a jitted function that is made once, at the top of the cell. Only "
    "new shapes, new dtypes and new settings may compile.",
    "Put `@jax.jit`, or `@partial(jax.jit, static_argnames=...)` where there is a setting, right "
    "above the function, and call `jax.jit` nowhere inside.",
)


def table(rng: np.random.Generator, n: int, p: int) -> Array:
    """Counts (n, p) with zeros where p > 1, and at least one count at each site."""
    Y = rng.poisson(rng.gamma(0.8, 6.0, size=(n, p))).astype(np.float32)
    Y[:, -1] += 1
    Y[0, :-1] = 0
    return Y


def large(rng: np.random.Generator) -> Array:
    """Such counts, with more sites, more taxa and a larger count than the oaks have."""
    Y = table(rng, *LARGER)
    Y[-1, -1] = rng.integers(3000, 9000)
    return Y
