"""Drills of the lesson `purity_hunt`: histories, counters and prints that should be results."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import draw_series, make_drill, make_rubric


def _mean_path(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    means = []
    for _ in range(3):
        x = (x + x.mean()) / 2
        means.append(x.max())
    return x, np.array(means)


def _draw_counted(rng: np.random.Generator) -> list[tuple]:
    numbers = (0, 3, 1, rng.integers(4, 9), rng.integers(1000, 9000))
    return [(x, np.int32(n)) for (x,), n in zip(draw_series(rng), numbers, strict=True)]


def _draw_tests(rng: np.random.Generator) -> list[tuple]:
    few, many = rng.uniform(1, 2, size=5), rng.uniform(200, 300, size=5)
    long = rng.uniform(1, 2, size=LARGER[0])
    long[-1] = 101
    drawn = few, many, few + 1, np.full(5, 100), np.append(few[:-1], 100), few, long, many[:1]
    return [(x.astype(np.float32),) for x in drawn]


rubric = make_rubric(
    "purity_hunt",
    make_drill("mean_path", draws=draw_series, reference=_mean_path),
    make_drill(
        "shrink_once_more", draws=_draw_counted, reference=lambda x, calls: (x / 2, calls + 1)
    ),
    make_drill(
        "mean_and_warning", draws=_draw_tests, reference=lambda x: (x.mean(), x.max() > 100)
    ),
)
