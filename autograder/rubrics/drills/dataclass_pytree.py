"""Drills of the lesson `dataclass_pytree`: what is registered, and which fields are data."""

from __future__ import annotations

import numpy as np

from autograder.rubrics.drills._drill import counts, make_drill, make_rubric


def draw_tables(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, 5, 4),), (counts(rng, 5, 4),), (counts(rng, 3, 6),)]


def share_by_site(Y: np.ndarray) -> np.ndarray:
    return Y / (Y.sum(axis=1, keepdims=True) + 1)


def draw_kinds(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, 5), kind) for kind in ("log", "root", "log")]


def flatten_counts(y: np.ndarray, kind: str) -> np.ndarray:
    return np.log(y + 1) if kind == "log" else np.sqrt(y)


def draw_shifts(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, n), float(rng.normal())) for n in (5, 5, 7)]


def shifted_logs(y: np.ndarray, offset: float) -> np.ndarray:
    return np.log(y + 1) + offset


def draw_temperatures(rng: np.random.Generator) -> list[tuple]:
    temperatures = (1.0, 0.5, 0.25, float(rng.uniform(1, 3)))
    return [(rng.normal(size=6).astype(np.float32), t) for t in temperatures]


def temper(z: np.ndarray, temperature: float) -> np.ndarray:
    shares = np.exp(z / temperature)
    return shares / shares.sum()


rubric = make_rubric(
    "dataclass_pytree",
    make_drill(
        "share_by_site",
        "JAX does not know the class `Sites`. Which decorator tells it?",
        draws=draw_tables,
        reference=share_by_site,
    ),
    make_drill(
        "flatten_counts",
        "A string cannot be data. `field(metadata={'static': True})` makes a field static.",
        draws=draw_kinds,
        reference=flatten_counts,
    ),
    make_drill(
        "shifted_logs",
        "`dataclasses.replace(view, y=...)` makes a new object.",
        draws=draw_shifts,
        reference=shifted_logs,
        budget=2,
    ),
    make_drill(
        "temper",
        "A static field is part of the program's key. Make the temperature data.",
        draws=draw_temperatures,
        reference=temper,
        budget=1,
        minutes=5,
        difficulty="medium",
    ),
)
