"""Drills of the lesson `pln_numerics`: one term of the ELBO each, and many fits at once."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import make_drill, make_rubric


def _draw_precision(rng: np.random.Generator, p: int) -> np.ndarray:
    root = rng.normal(size=(p, p)) / np.sqrt(p)
    return (root @ root.T + np.eye(p)).astype(np.float32)


def _draw_terms(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for n, p in ((6, 3), (6, 3), LARGER, (1, 1)):
        M, S = rng.normal(size=(n, p)), rng.uniform(0.2, 1, size=(n, p))
        calls.append((M.astype(np.float32), S.astype(np.float32), _draw_precision(rng, p)))
    M, S, Omega = calls[0]
    return [*calls, (M.copy(), np.full_like(S, 0.5), Omega.copy())]


def _quadratic_term(M: np.ndarray, S: np.ndarray, Omega: np.ndarray) -> np.ndarray:
    D = np.diag((S**2).sum(axis=0))
    return -0.5 * np.trace((M.T @ M + D) @ Omega)


def _draw_large(rng: np.random.Generator) -> list[tuple]:
    sizes = ((1, 5), (2, 5), (30, 60), (2, LARGER[1]), (0.01, 40), (3, 1))
    drawn = [np.float32(scale) * _draw_precision(rng, p) for scale, p in sizes]
    return [(Omega,) for Omega in (*drawn, drawn[0].copy())]


def _draw_fits(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for k, n, p in ((4, 6, 3), (4, 6, 3), (2, *LARGER), (60, 5, 1), (1, 1, 4)):
        B, X = rng.normal(size=(k, 2, p)), rng.normal(size=(n, 2))
        calls.append((B.astype(np.float32), X.astype(np.float32)))
    return [*calls, (calls[0][0].copy(), np.ones_like(calls[0][1]))]


rubric = make_rubric(
    "pln_numerics",
    make_drill("quadratic_term", draws=_draw_terms, reference=_quadratic_term),
    make_drill("log_det", draws=_draw_large, reference=lambda Omega: np.linalg.slogdet(Omega)[1]),
    make_drill("expected_counts", draws=_draw_fits, reference=lambda B, X: np.exp(X @ B)),
)
