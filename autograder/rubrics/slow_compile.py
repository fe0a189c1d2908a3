"""Lesson `slow_compile`: an unrolled loop, data closed over, a new partial at each call."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER


def draws(rng: np.random.Generator) -> list[tuple]:
    """Two data sets and rates of one shape, one site, once; one taxon; more than the oaks have.

    The offsets of the first come with equal counts, and other iterations.
    """
    cases = ((6, 4, 5), (6, 4, 5), (1, 3, 1), (5, 1, 4), (*LARGER, 2))
    calls = []
    for n, p, n_iterations in cases:
        O = rng.normal(0.0, 0.5, (n, p))
        Y = rng.poisson(np.exp(O + rng.normal(1.0, 1.0, (n, p))))
        Y[0, 0] = 0
        data = Y.astype(np.float32), O.astype(np.float32)
        calls.append((*data, float(rng.uniform(0.3, 0.9)), n_iterations))
    Y, O, *_ = calls[0]
    equal, rate = np.full_like(Y, rng.integers(1, 9)), float(rng.uniform(0.3, 0.9))
    return [*calls, (equal, O.copy(), rate, 3)]


def fit(Y, O, rate, n_iterations):
    """M, log S and the ELBO before each step, entry by entry, with Omega = I."""
    M, log_S, rate = np.zeros_like(Y), np.zeros_like(Y), np.asarray(rate, Y.dtype)
    elbos = []
    for _ in range(n_iterations):
        S2 = np.exp(2 * log_S)
        A = np.exp(O + M + S2 / 2)
        entries = Y * (O + M) - A - gammaln(Y + 1) + log_S - (M**2 + S2 - 1) / 2
        elbos.append(np.sum(entries))
        M = M + rate * np.clip((Y - A - M) / (A + 1), -1, 1)
        log_S = log_S + rate * np.clip(1 / (2 * S2 * (A + 1)) - 1 / 2, -1, 1)
    return M, log_S, np.array(elbos, Y.dtype)


rubric = Rubric(
    lesson="slow_compile",
    learned="why compiling takes long: unrolled loops, closed-over data, functions made anew",
    minutes=30,
    exercises=(
        ProgramExercise(
            name="slow_compile",
            minutes=15,
            difficulty="medium",
            entry_points=("fit",),
            draws=draws,
            reference=fit,
            curve=("ELBO", -1),
            scales={"[0]": 1.0, "[1]": 1.0},
            points={"outputs": 2, "purity": 1, "compilations": 4},
            loop=Loop(3),
            compilations=Compilations(one_function=True),
        ),
    ),
)
