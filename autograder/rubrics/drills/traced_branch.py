"""Drills of the lesson `traced_branch`: choices that depend on data."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER, counts, large_table
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_tables(rng: np.random.Generator) -> list[tuple]:
    some = rng.uniform(0, 1, size=(5, 4)).astype(np.float32)
    equal = np.full((5, 4), rng.uniform(0.1, 0.9), np.float32)
    tables = (
        counts(rng, 5, 4),
        some,
        -3 * some,
        equal,
        large_table(rng),
        counts(rng, 1),
        some.copy(),
    )
    return [(x,) for x in (*tables, some.copy())]


def _draw_latent(rng: np.random.Generator) -> list[tuple]:
    first, other, large = (2 * z for z in normals(rng, (5, 1, 4), (5, 1, 4), LARGER))
    other[0] = np.inf, -np.inf, 1.0, -1.0
    equal = np.full((5, 1, 4), rng.uniform(-0.9, 0.9), np.float32)
    return [(z,) for z in (first, other, large, equal, first.copy())]


def _draw_sites(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for n, lowest in ((6, 1), (6, 0), (6, None), (131, 1), (1, 3)):
        site = rng.poisson(5.0, size=n).astype(np.float32) + 2
        if lowest is None:
            site *= 0
        else:
            site[rng.integers(n)] = lowest
        calls.append((site,))
    return [*calls, (calls[0][0].copy(),)]


rubric = make_rubric(
    "traced_branch",
    make_drill(
        "scale_down", draws=_draw_tables, reference=lambda x: x / x.max() if x.max() > 1 else x
    ),
    make_drill(
        "clip_latent",
        draws=_draw_latent,
        reference=lambda z: np.where(z > 1, 1, np.where(z < -1, -1, z)),
    ),
    make_drill(
        "evenness",
        draws=_draw_sites,
        reference=lambda site: site.min() / site.max() if site.sum() > 0 else site.dtype.type(0),
    ),
)
