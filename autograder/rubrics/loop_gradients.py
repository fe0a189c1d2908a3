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

    The counts and offsets of the first come with equal rates. None is as large as the oaks: there,
    right programs differ in memory by more than the task allows.
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
    minutes=45,
    exercises=(
        ProgramExercise(
            name="loop_gradients",
            minutes=15,
            difficulty="hard",
            entry_points=("laplace_with_gradient",),
            draws=draw_counts,
            reference=laplace,
            points={"outputs": 4, "purity": 1, "compilations": 1, "memory": 2},
            hints={
                "outputs": (
                    "Which result does the card name? [0] is the value, [1][0] the gradient in "
                    "offsets, [1][1] the gradient in omega.",
                    "Differentiate y - exp(o + z) - omega z = 0 with respect to o, and to omega: "
                    "dz/do = -rate / (rate + omega), dz/domega = -z / (rate + omega). The backward "
                    "function multiplies both by the cotangent; omega has one entry for each "
                    "taxon, so its products are summed over the sites.",
                    "backward: share = cotangent / (rate + omega); "
                    "return share, -rate * share, -jnp.sum(z * share, axis=0)",
                ),
                "reverse-loop": (
                    "Reverse mode cannot go through the while_loop. Does it have to?",
                    "Leave the loop as it is, in a function of its own. A `jax.custom_vjp` around "
                    "it says what its derivative is: that of the equation which z solves.",
                    "@jax.custom_vjp on latent_mode; forward returns z, (z, offsets, omega); "
                    "latent_mode.defvjp(forward, backward)",
                ),
                "custom-rule": (
                    "Compare your two functions with those of `smooth_root`, line by line.",
                    "forward takes the arguments of latent_mode and returns a pair; backward takes "
                    "what forward kept and the cotangent, and returns a tuple with one entry for "
                    "each argument of latent_mode.",
                    "def forward(counts, offsets, omega): ...; return z, (z, offsets, omega). "
                    "def backward(kept, cotangent): ...; return share, -rate * share, "
                    "-jnp.sum(z * share, axis=0)",
                ),
                "purity": (
                    "The function gets everything through its arguments and changes nothing.",
                    "The card names the line that changes or reads something outside.",
                    "What the backward pass needs is returned by forward, not stored anywhere.",
                ),
                "compilations": (
                    "Value and gradient must be one program for each shape.",
                    "Is `@jax.jit` still right above `def laplace_with_gradient`, with all "
                    "computing inside of it?",
                    "Put `@jax.jit` on `laplace_with_gradient`; `latent_mode` needs none.",
                ),
                "memory": (
                    "What does the backward pass use that belongs to a single Newton step?",
                    "A loop of a fixed length keeps every step, and a smaller number for each with "
                    "`jax.checkpoint`. The implicit derivative needs z alone.",
                    "Keep the while_loop, and give latent_mode its derivative with jax.custom_vjp: "
                    "forward keeps (z, offsets, omega).",
                ),
            },
            memory=Memory(factor=3.0),
        ),
        ProgramExercise(
            name="loop_gradients_memory",
            minutes=12,
            difficulty="medium",
            entry_points=("fit_with_gradient",),
            draws=draw_fits,
            reference=fit,
            scales={"[0]": 200.0},
            points={"outputs": 2, "purity": 1, "compilations": 1, "memory": 3},
            hints={
                "outputs": (
                    "The code you were given returned the right numbers. What is different now?",
                    "Every iteration counts: as many as `steps` says, and the gradient goes "
                    "through all of them.",
                    "Leave the arithmetic as it was given; only say what is kept.",
                ),
                "purity": (
                    "The function gets everything through its arguments and changes nothing.",
                    "The card names the line that changes or reads something outside.",
                    "Leave the loop a lax.scan, and let nothing but its carry go on.",
                ),
                "compilations": (
                    "The fit and its gradient must be one program, with a loop in it.",
                    "Is `@partial(jax.jit, static_argnames='steps')` still there? Does a Python "
                    "loop put every step into the program?",
                    "Keep the decorator and `lax.scan(..., length=steps)` as they were given.",
                ),
                "memory": (
                    "Which function's results are kept once for each iteration?",
                    "`jax.checkpoint` around a function keeps its arguments only. Around the whole "
                    "scan it saves nothing, because the scan is computed again, and then keeps all "
                    "of its steps. Which smaller function is called in each iteration?",
                    "Put @jax.checkpoint on `body`.",
                ),
            },
            loop=Loop(3),
            memory=Memory(factor=1.6),
        ),
    ),
)
