"""Drills of the lesson `pytree_class`: flatten and unflatten, and what JAX puts into objects."""

from __future__ import annotations

import numpy as np

from autograder.rubrics.drills._drill import counts, make_drill, make_rubric


def draw_lines(rng: np.random.Generator) -> list[tuple]:
    def draw(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    return [(draw(), draw(), draw(n)) for n in (4, 4, 6)]


def line_at(slope: np.ndarray, intercept: np.ndarray, x: np.ndarray) -> np.ndarray:
    return slope * x + intercept


def draw_powers(rng: np.random.Generator) -> list[tuple]:
    return [(rng.uniform(0.5, 2, 5).astype(np.float32), power) for power in (2, 3, 2)]


def raise_all(x: np.ndarray, power: int) -> np.ndarray:
    return x**power


def draw_rates(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, 5), float(rng.uniform(1, 3))) for _ in range(3)]


def scale_counts(y: np.ndarray, rate: float) -> np.ndarray:
    return y / rate


rubric = make_rubric(
    "pytree_class",
    make_drill(
        "line_at",
        "`tree_unflatten` gets the children in the order in which `tree_flatten` returned them.",
        draws=draw_lines,
        reference=line_at,
    ),
    make_drill(
        "raise_all",
        "Children are traced. What must stay a plain number belongs into the aux data.",
        draws=draw_powers,
        reference=raise_all,
    ),
    make_drill(
        "scale_counts",
        "JAX makes objects of tracers, too. So `__init__` must not ask for numbers.",
        draws=draw_rates,
        reference=scale_counts,
        budget=1,
    ),
)
