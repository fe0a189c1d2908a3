"""Drills of the lesson `many_devices`: what each device sees, and how parts are put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.model.exercise import Exercise
from autograder.rubrics._draws import counts
from autograder.rubrics.drills._drill import make_drill, make_rubric


def draw_tables(rng: np.random.Generator) -> list[tuple]:
    """Counts whose sites and taxa are multiples of four; of one table, the first of four devices
    does not have the largest."""
    shapes = ((8, 4), (8, 4), (124, 120), (4, 4))
    drawn = [rng.permutation(counts(rng, *shape).ravel()).reshape(shape) for shape in shapes]
    sites, taxa = shapes[2]
    largest = rng.integers(sites // 4, sites), rng.integers(taxa)
    drawn[2][largest] = drawn[2].max() + rng.integers(3000, 9000)
    return [(Y,) for Y in (*drawn, drawn[0].copy(), np.full_like(drawn[0], 3))]


def make_device_drill(name: str, reference: Callable[..., Any]) -> Exercise:
    """Return a drill that runs on four devices."""
    return make_drill(name, devices=4, draws=draw_tables, reference=reference)


rubric = make_rubric(
    "many_devices",
    make_device_drill("largest_count", lambda Y: Y.max()),
    make_device_drill("site_totals", lambda Y: Y.sum(axis=1)),
    make_device_drill("taxon_totals", lambda Y: Y.sum(axis=0)),
)
