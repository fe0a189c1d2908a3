"""Drills of the lesson `pytree_class`: flatten and unflatten, and what JAX puts into objects."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import draw_sites, make_drill, make_rubric, normals, uniforms


def _draw_lines(rng: np.random.Generator) -> list[tuple]:
    calls = [tuple(normals(rng, (), (), n)) for n in (4, 4, LARGER[0], 1)]
    x, equal = calls[0][2], np.full(4, rng.normal(), np.float32)
    return [*calls, (*normals(rng, (), ()), equal), (*normals(rng, (), ()), x.copy())]


def _draw_powers(rng: np.random.Generator) -> list[tuple]:
    first, other, many, one = uniforms(rng, 0.5, 2, 5, 5, LARGER[0], 1)
    calls = [(first, 2), (other, 2), (first.copy(), 3), (np.full_like(first, 1.5), 1)]
    return [*calls, (many, 4), (one, 7)]


def _draw_rates(rng: np.random.Generator) -> list[tuple]:
    return [(y, float(rng.uniform(1, 3))) for y in draw_sites(rng)]


rubric = make_rubric(
    "pytree_class",
    make_drill(
        "line_at", draws=_draw_lines, reference=lambda slope, intercept, x: slope * x + intercept
    ),
    make_drill("raise_all", draws=_draw_powers, reference=lambda x, power: x**power),
    make_drill(
        "scale_counts",
        draws=_draw_rates,
        reference=lambda y, rate: y / rate,
        compilations=Compilations(budget=3),
    ),
)
