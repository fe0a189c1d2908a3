"""The lessons' PLN model in NumPy, in the dtype of its arguments: right results, and draws.

Parameters are dictionaries ``{"B": (d, p), "M": (n, p), "log_S": (n, p)}`` as in the lessons, or
any order of them that a lesson has; gradients are written by hand (Chiquet, Mariadassou, Robin
2018, section 3).
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from autograder.model.exercise import Speed
from autograder.rubrics._draws import Array, Params, covariance, data
from plnkit.ladder import eager

RATE = 0.2
"""Of the lessons' optimizer, `optax.adam(0.2)`."""


def elbo(params: Params, Omega: Array, Y: Array, O: Array, X: Array) -> Array:
    """The ELBO in nats, a scalar."""
    n, p = Y.shape
    eta = O + X @ params["B"] + params["M"]
    S2 = np.exp(2 * params["log_S"])
    entries = Y * eta - np.exp(eta + S2 / 2) + params["log_S"] - gammaln(Y + 1)
    log_det = np.linalg.slogdet(Omega)[1]
    return entries.sum() + n / 2 * (p + log_det) - n / 2 * np.sum(covariance(params) * Omega)


def gradient(params: Params, Omega: Array, Y: Array, O: Array, X: Array) -> Params:
    """The gradient of the ELBO in B, M and log S, for a symmetric Omega."""
    S2 = np.exp(2 * params["log_S"])
    A = np.exp(O + X @ params["B"] + params["M"] + S2 / 2)
    return {
        "B": X.T @ (Y - A),
        "M": Y - A - params["M"] @ Omega,
        "log_S": 1 - S2 * (A + np.diagonal(Omega)),
    }


def adam(
    count: int, mu: Params, nu: Params, ascent: Params, rate: float = RATE
) -> tuple[Params, Params, Params]:
    """Updates and moments of Adam (Kingma and Ba 2015, algorithm 1) minimising minus the ELBO.

    Args:
        count: steps taken so far.
        mu, nu: first and second moments of the gradient of minus the ELBO.
        ascent: gradient of the ELBO.
    """
    dtype = ascent["M"].dtype.type
    t = dtype(int(count) + 1)
    # In the arrays' own dtype: in float32, 1 - 0.999 has but three digits, here as in optax.
    lost1, lost2 = 1 - dtype(0.9) ** t, 1 - dtype(0.999) ** t
    mu = {k: 0.9 * mu[k] - (1 - 0.9) * ascent[k] for k in mu}
    nu = {k: 0.999 * nu[k] + (1 - 0.999) * ascent[k] ** 2 for k in nu}
    updates: Params = {k: -rate * (mu[k] / lost1) / (np.sqrt(nu[k] / lost2) + 1e-8) for k in mu}
    return updates, mu, nu


def fit(
    params: Params,
    Omega: Array,
    Y: Array,
    O: Array,
    X: Array,
    n_iterations: int,
    rate: float = RATE,
    diagonal: bool = False,
) -> tuple[Params, Array, Array, Array]:
    """Parameters, Omega, the ELBO before each iteration, and the last iteration's updates' size."""
    mu = nu = {k: np.zeros_like(v) for k, v in params.items()}
    trace, moved = [], Y.dtype.type(0)
    for i in range(n_iterations):
        trace.append(elbo(params, Omega, Y, O, X))
        updates, mu, nu = adam(i, mu, nu, gradient(params, Omega, Y, O, X), rate)
        params = {k: params[k] + updates[k] for k in params}
        Sigma = covariance(params)
        Omega = np.linalg.inv(np.diag(np.diagonal(Sigma)) if diagonal else Sigma)
        moved = np.max([np.max(np.abs(u)) for u in updates.values()])
    return params, Omega, np.array(trace, Y.dtype), np.asarray(moved, Y.dtype)


def draw_sizes(rng: np.random.Generator) -> tuple[int, int, int]:
    """n, p and the number of iterations: oaks' size nearly, and enough to be timed."""
    n, p = rng.integers(94, 107, size=2)
    return int(n), int(p), int(rng.integers(90, 111))


def draw_speed(rng: np.random.Generator, n: int, p: int, iterations: int) -> tuple:
    """Data to time a fit with."""
    return (*data(rng, n, p, 1), iterations)


over_no_jit = Speed(
    eager.fit, 10.0, draw_speed, baseline_iterations=3, eager=True, sizes=draw_sizes
)
"""A fit in one program, beside the ladder's level without JIT; on a GPU some 100 times faster."""
