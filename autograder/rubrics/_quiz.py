"""What the mixed quizzes share: draws of counts."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER, Array


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
