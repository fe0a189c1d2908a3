"""Drills of the lesson `containers`: tuples that are replaced, and which fields are data."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import draw_series, draw_sites, make_drill, make_rubric


def _draw_kinds(rng: np.random.Generator) -> list[tuple]:
    first, many, one, equal, again, other = draw_sites(rng)
    calls = [(first, "log"), (other, "log"), (again, "root"), (equal, "root")]
    return [*calls, (many, "log"), (one, "root")]


def _draw_temperatures(rng: np.random.Generator) -> list[tuple]:
    temperatures = (1.0, 0.5, 0.25, float(rng.uniform(1, 3)))
    calls = [(rng.normal(size=LARGER[0]).astype(np.float32), t) for t in temperatures]
    return [*calls, (calls[0][0].copy(), 4.0), (np.zeros_like(calls[0][0]), 0.5)]


def _temper(z: np.ndarray, temperature: float) -> np.ndarray:
    shares = np.exp(z / temperature)
    return shares / shares.sum()


rubric = make_rubric(
    "containers",
    make_drill(
        "tally_up", draws=draw_series, reference=lambda x: (x.sum(), np.maximum(x, 0).sum())
    ),
    make_drill(
        "flatten_counts",
        draws=_draw_kinds,
        reference=lambda y, kind: np.log(y + 1) if kind == "log" else np.sqrt(y),
    ),
    make_drill(
        "temper",
        draws=_draw_temperatures,
        reference=_temper,
        compilations=Compilations(budget=1),
    ),
)
