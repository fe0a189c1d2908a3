"""Drills of the lesson `slow_compile`: a long program, one made anew, one that holds data."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Loop
from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics.drills._drill import draw_tables, make_drill, make_rubric


def draw_moves(rng: np.random.Generator) -> list[tuple]:
    """Chances to move between sites, of which each column sums to 1; shares; steps."""
    calls = []
    for n, steps in ((4, 3), (4, 3), (LARGER[0], 2), (1, 5)):
        moves, shares = rng.dirichlet(np.ones(n), size=n).T, rng.dirichlet(np.ones(n))
        calls.append((moves.astype(np.float32), shares.astype(np.float32), steps))
    return [*calls, (calls[0][0].copy(), np.full(4, 0.25, np.float32), 1)]


def _spread(moves: np.ndarray, shares: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        shares = moves @ shares
    return shares


def _draw_depths(rng: np.random.Generator) -> list[tuple]:
    tables = [*(Y for (Y,) in draw_tables(rng)), counts(rng, 5, 4)]
    calls = [(Y, rng.uniform(9, 99, size=len(Y)).astype(np.float32)) for Y in tables]
    return [*calls, (tables[-1].copy(), np.full(5, 20, np.float32))]


def _centered_logs(Y: np.ndarray) -> np.ndarray:
    logs = np.log(Y + 1)
    return logs - logs.mean(axis=0)


rubric = make_rubric(
    "slow_compile",
    make_drill(
        "spread",
        draws=draw_moves,
        reference=_spread,
        loop=Loop(2),
    ),
    make_drill("rates", draws=_draw_depths, reference=lambda Y, depths: Y / depths[:, None]),
    make_drill("centered_logs", draws=draw_tables, reference=_centered_logs),
)
