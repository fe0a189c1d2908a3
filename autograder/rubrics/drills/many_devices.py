"""Drills of the lesson `many_devices`: what each device sees, and how parts are put together."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model.rubric import Exercise
from autograder.rubrics.drills._drill import counts, make_drill, make_rubric


def draw_tables(rng: np.random.Generator) -> list[tuple]:
    """Counts whose sites and taxa are multiples of four; of one table, the first of four devices
    does not have the largest."""
    shapes = ((8, 4), (8, 4), (124, 120), (4, 4))
    drawn = [rng.permutation(counts(rng, *shape).ravel()).reshape(shape) for shape in shapes]
    sites, taxa = shapes[2]
    largest = rng.integers(sites // 4, sites), rng.integers(taxa)
    drawn[2][largest] = drawn[2].max() + rng.integers(3000, 9000)
    return [(Y,) for Y in (*drawn, drawn[0].copy(), np.full_like(drawn[0], 3))]


def drill(name: str, hint: str, **fields: Any) -> Exercise:
    return make_drill(name, hint, devices=4, draws=draw_tables, **fields)


rubric = make_rubric(
    "many_devices",
    drill(
        "largest_count",
        "Each device has the largest of its own counts. `jax.lax.pmax` compares the devices, as "
        "`psum` adds them up.",
        reference=lambda Y: Y.max(),
    ),
    drill(
        "site_totals",
        "Each device has the totals of other sites. Which `out_specs` puts them one after the "
        "other?",
        reference=lambda Y: Y.sum(axis=1),
    ),
    drill(
        "taxon_totals",
        "Each device has all taxa, and its own sites. Add up over the devices: what is the same on "
        "all of them then?",
        reference=lambda Y: Y.sum(axis=0),
    ),
)
