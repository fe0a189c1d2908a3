"""Lesson `jitted_step`: level 1, one compiled step of the PLN fit and a loop left to Python."""

from __future__ import annotations

import jax
import numpy as np
import optax

from autograder.model.exercise import BehaviourExercise, Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._draws import LARGER, covariance, data, draw_params

SHAPES = ((6, 5, 2), (6, 5, 2), (1, 3, 1), (*LARGER, 3))
"""n, p, d: one shape twice, then a single sample, then more of all than the oaks have."""

MANY = 301
"""Iterations: one more than the notebook makes."""


def step_draws(rng: np.random.Generator) -> list[tuple]:
    """A state in the middle of a fit, and data; the second state comes with other data, too."""
    calls = []
    for n, p, d in SHAPES:
        params = draw_params(rng, n, p, d)
        Omega = np.linalg.inv(covariance(draw_params(rng, n + p, p, d)))
        Omega = ((Omega + Omega.T) / 2).astype(np.float32)
        mu = draw_params(rng, n, p, d)
        nu = {k: v**2 + np.float32(1) for k, v in draw_params(rng, n, p, d).items()}
        moments = optax.ScaleByAdamState(np.asarray(rng.integers(1, 9), np.int32), mu, nu)
        calls.append((params, Omega, (moments, optax.EmptyState()), *data(rng, n, p, d)))
    state, (Y, *others) = jax.tree.map(np.copy, (calls[1][:3], calls[0][3:]))
    return [*calls, (*state, np.full_like(Y, rng.integers(1, 9)), *others)]


def step(params, Omega, state, Y, O, X):
    """One iteration: the ELBO, an Adam update of B, M and log S, and the best Omega."""
    moments, empty = state
    value = _pln.elbo(params, Omega, Y, O, X)
    slope = _pln.gradient(params, Omega, Y, O, X)
    updates, mu, nu = _pln.adam(moments.count, moments.mu, moments.nu, slope)
    params = {k: params[k] + updates[k] for k in params}
    Omega = np.linalg.inv(covariance(params))
    count = np.asarray(moments.count + 1, np.int32)
    return params, Omega, (optax.ScaleByAdamState(count, mu, nu), empty), np.asarray(value, Y.dtype)


def fit_draws(rng: np.random.Generator) -> list[tuple]:
    """A start, data, and more iterations than `programs`; then one iteration.

    Then the first start with other data, and many iterations.
    """
    calls = []
    shapes = *SHAPES, SHAPES[0], (12, 3, 1)
    for (n, p, d), iterations in zip(shapes, (6, 6, 6, 2, 1, MANY), strict=True):
        calls.append((draw_params(rng, n, p, d), *data(rng, n, p, d), iterations))
    params, (Y, *others) = jax.tree.map(np.copy, (calls[0][0], calls[1][1:-1]))
    restart = params, np.full_like(Y, rng.integers(1, 9)), *others, calls[0][-1]
    return [*calls[:-1], restart, calls[-1]]


def fit(params, Y, O, X, n_iterations):
    """The fitted parameters, and the ELBO before each iteration."""
    best = np.linalg.inv(covariance(params))
    params, _, trace, _ = _pln.fit(params, best, Y, O, X, n_iterations)
    return params, trace


rubric = Rubric(
    lesson="jitted_step",
    learned="data are arguments: value_and_grad in one jitted step, arrays that do not change",
    minutes=35,
    exercises=(
        ProgramExercise(
            name="jitted_step",
            minutes=5,
            difficulty="easy",
            importance=3,
            entry_points=("step",),
            keeps={0: 0, 2: 2},
            draws=step_draws,
            reference=step,
            points={"outputs": 3, "purity": 1, "compilations": 2},
            compilations=Compilations(one_function=True),
        ),
        BehaviourExercise(
            name="jitted_step_fit",
            minutes=5,
            difficulty="easy",
            importance=2,
            entry_points=("fit",),
            draws=fit_draws,
            long_calls=1,
            reference=fit,
            points={"outputs": 2, "purity": 2, "compilations": 2},
            compilations=Compilations(programs=5, one_program=False),
        ),
    ),
)
