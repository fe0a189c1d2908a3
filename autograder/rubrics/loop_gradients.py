"""Lesson `loop_gradients`: the gradient of a while_loop, and the memory of a long scan's."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model.exercise import Loop, Memory, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array

ENOUGH = 60
"""Newton steps after which nothing changes any more, in float64."""


def _tables(rng: np.random.Generator, n: int, p: int) -> tuple[Array, Array]:
    """Counts with a zero, and offsets, of n sites and p taxa."""
    counts = rng.poisson(rng.gamma(0.5, 60.0, size=(n, p))).astype(np.float32)
    offsets = rng.normal(size=(n, p)).astype(np.float32)
    # Where much was counted and nothing found, Newton's method starts far away.
    counts.flat[0], offsets.flat[0] = 0.0, 20.0
    return counts, offsets


def draw_counts(rng: np.random.Generator) -> list[tuple]:
    """Counts, offsets and precisions: two data sets of one size, one site, more than the oaks have.

    The offsets of the first come with equal counts and precisions.
    """

    def call(n: int, p: int) -> tuple:
        return (*_tables(rng, n, p), rng.uniform(0.3, 3.0, size=p).astype(np.float32))

    calls = [call(40, 12), call(40, 12), call(1, 3), call(*LARGER)]
    counts, offsets, omega = calls[0]
    equal = np.full_like(counts, rng.integers(1, 9))
    return [*calls, (equal, offsets.copy(), np.full_like(omega, rng.uniform(0.3, 3.0)))]


def draw_fits(rng: np.random.Generator) -> list[tuple]:
    """Step sizes, counts, offsets and iterations: long fits, two of one size, and one site.

    The counts and offsets of the first come with equal rates. None is as large as the oaks: the
    task's limit of memory is one for 24 sites, 8 taxa and 108 iterations.
    """

    def call(n: int, p: int, steps: int) -> tuple:
        rates = rng.uniform(0.002, 0.01, size=p).astype(np.float32)
        Y = rng.poisson(rng.gamma(0.8, 4.0, size=(n, p))).astype(np.float32)
        O = rng.normal(1.0, 0.3, size=(n, p)).astype(np.float32)
        return rates, Y, O, steps

    calls = [call(24, 8, 108), call(24, 8, 108), call(1, 3, 30)]
    rates, Y, O, steps = calls[0]
    return [*calls, (np.full_like(rates, 0.004), Y.copy(), O.copy(), steps)]


def laplace(counts: Array, offsets: Array, omega: Array) -> tuple[Any, tuple[Array, Array]]:
    """The Laplace log likelihood up to a constant, and its gradients by hand."""
    z = np.log(counts + np.asarray(0.5, counts.dtype)) - offsets
    for _ in range(ENOUGH):
        rate = np.exp(offsets + z)
        z = z + (counts - rate - omega * z) / (rate + omega)
    rate = np.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    value = np.sum(entries + np.log(omega) / 2 - np.log(rate + omega) / 2)
    # The first three terms are largest at z: only the logarithm sees that z moves.
    pull = -rate / (2 * (rate + omega)) / (rate + omega)
    by_offsets = counts - rate + omega * pull
    by_omega = -(z**2) / 2 + 1 / (2 * omega) - 1 / (2 * (rate + omega)) - z * pull
    return value, (by_offsets, by_omega.sum(axis=0))


def fit(rates: Array, Y: Array, O: Array, steps: int) -> tuple[Any, Array]:
    """The ELBO after a fit, and its gradient in the rates: each entry's is carried along."""
    M, L = np.zeros_like(Y), np.zeros_like(Y)  # L is log S
    dM, dL = np.zeros_like(Y), np.zeros_like(Y)
    for _ in range(steps):
        S2 = np.exp(2 * L)
        A = np.exp(O + M + S2 / 2)
        dA, dS2 = A * (dM + S2 * dL), 2 * S2 * dL
        gM, gL = Y - A - M, 1 - S2 * (A + 1)
        dM, dL = dM + gM - rates * (dA + dM), dL + gL - rates * (dS2 * (A + 1) + S2 * dA)
        M, L = M + rates * gM, L + rates * gL
    S2 = np.exp(2 * L)
    A = np.exp(O + M + S2 / 2)
    value = np.sum(Y * (O + M) - A + L - (M**2 + S2) / 2)
    gradient = (Y - A - M) * dM + (1 - S2 * (A + 1)) * dL
    return value, gradient.sum(axis=0)


rubric = Rubric(
    lesson="loop_gradients",
    learned="gradients through loops: implicit derivatives, jax.checkpoint, scratch memory",
    minutes=70,
    track="Gradients through loops",
    exercises=(
        ProgramExercise(
            name="loop_gradients",
            minutes=15,
            difficulty="hard",
            importance=2,
            entry_points=("laplace_with_gradient",),
            draws=draw_counts,
            reference=laplace,
            points={"outputs": 4, "purity": 1, "compilations": 1, "memory": 2},
            memory=Memory(scratch=3 * 2**18),
        ),
        ProgramExercise(
            name="loop_gradients_memory",
            minutes=12,
            difficulty="medium",
            importance=3,
            entry_points=("fit_with_gradient",),
            draws=draw_fits,
            reference=fit,
            scales={"[0]": 200.0},
            points={"outputs": 2, "purity": 1, "compilations": 1, "memory": 3},
            loop=Loop(3),
            memory=Memory(scratch=2**18),
        ),
    ),
)
