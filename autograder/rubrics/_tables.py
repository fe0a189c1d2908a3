"""What summaries of tables share: tables to draw, and words for results that differ."""

from __future__ import annotations

import numpy as np


def draw_table(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Counts with a zero and a taxon that is on every leaf."""
    table = rng.poisson(rng.gamma(0.8, 15.0, size=(n, p))).astype(np.float32)
    table[:, -1] += 3.0
    table[0, 0] = 0.0
    return table


def same(got: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Where two arrays agree but for rounding."""
    return np.isclose(got.astype(np.float64), right, rtol=1e-5, atol=1e-5)


def first_wrong(got: np.ndarray, right: np.ndarray) -> tuple[int, ...]:
    """Return the index of the first entry that does not."""
    return tuple(int(i) for i in np.argwhere(~same(got, right))[0])


def describe(leaves: list[np.ndarray]) -> str:
    """Say in words which arrays were returned."""
    shapes = [str(leaf.shape) for leaf in leaves]
    return f"{len(shapes)} array{'' if len(shapes) == 1 else 's'} of shape {', '.join(shapes)}"
