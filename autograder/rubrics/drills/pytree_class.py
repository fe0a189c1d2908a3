"""Drills of the lesson `pytree_class`: flatten and unflatten, and what JAX puts into objects."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import draw_sites, make_drill, make_rubric


def draw_lines(rng: np.random.Generator) -> list[tuple]:
    def draw(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    calls = [(draw(), draw(), draw(n)) for n in (4, 4, LARGER[0], 1)]
    x, equal = calls[0][2], np.full(4, rng.normal(), np.float32)
    return [*calls, (draw(), draw(), equal), (draw(), draw(), x.copy())]


def draw_powers(rng: np.random.Generator) -> list[tuple]:
    first, other, many, one = (
        rng.uniform(0.5, 2, n).astype(np.float32) for n in (5, 5, LARGER[0], 1)
    )
    calls = [(first, 2), (other, 2), (first.copy(), 3), (np.full_like(first, 1.5), 1)]
    return [*calls, (many, 4), (one, 7)]


def draw_rates(rng: np.random.Generator) -> list[tuple]:
    return [(y, float(rng.uniform(1, 3))) for y in draw_sites(rng)]


rubric = make_rubric(
    "pytree_class",
    make_drill(
        "line_at",
        "`tree_unflatten` gets the children in the order in which `tree_flatten` returned them.",
        draws=draw_lines,
        reference=lambda slope, intercept, x: slope * x + intercept,
    ),
    make_drill(
        "raise_all",
        "Children are traced. What must stay a plain number belongs into the aux data.",
        draws=draw_powers,
        reference=lambda x, power: x**power,
    ),
    make_drill(
        "scale_counts",
        "JAX makes objects of tracers, too. So `__init__` must not ask for numbers.",
        draws=draw_rates,
        reference=lambda y, rate: y / rate,
        budget=3,
    ),
)
