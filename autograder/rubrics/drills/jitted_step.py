"""Drills of the lesson `jitted_step`: arguments, gradients, and arrays that do not change."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations
from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_logs(rng: np.random.Generator) -> list[tuple]:
    tables = normals(rng, (5, 4), (5, 4), LARGER, (1, 2))
    tables += [np.zeros((5, 4), np.float32), tables[0].copy()]
    return [(M, np.float32(rng.normal())) for M in tables]


def _draw_rates(rng: np.random.Generator) -> list[tuple]:
    sites = [counts(rng, n) for n in (6, 6, LARGER[0], 1)]
    sites += [np.full(6, 2.0, np.float32), sites[0].copy()]
    return [(y, np.float32(rng.uniform(1, 9))) for y in sites]


def _draw_params(rng: np.random.Generator) -> list[tuple]:
    def draw(n: int, p: int, d: int) -> dict[str, np.ndarray]:
        return dict(zip("BM", normals(rng, (d, p), (n, p)), strict=True))

    sizes = ((5, 3, 2), (5, 3, 2), (*LARGER, 1))
    calls = [(draw(*s), draw(*s), float(rng.uniform(0.1, 1))) for s in sizes]
    again = {name: x.copy() for name, x in calls[0][0].items()}
    flat = {name: np.ones_like(x) for name, x in again.items()}
    return [*calls, (again, flat, float(rng.uniform(1, 2)))]


def _climb(
    params: dict[str, np.ndarray], gradient: dict[str, np.ndarray], rate: float
) -> dict[str, np.ndarray]:
    return {name: params[name] + rate * gradient[name] for name in params}


rubric = make_rubric(
    "jitted_step",
    make_drill(
        "fix_first_row",
        draws=_draw_logs,
        reference=lambda M, value: np.vstack([np.full_like(M[:1], value), M[1:]]),
    ),
    make_drill(
        "slope_in_rate",
        draws=_draw_rates,
        reference=lambda counts, rate: np.sum(counts) / rate - len(counts),
    ),
    make_drill(
        "climb",
        draws=_draw_params,
        reference=_climb,
        compilations=Compilations(programs=2),
    ),
)
