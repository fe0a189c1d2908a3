"""Weights of samples, and diagonal and spherical covariances: the ELBO and its maximum."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit import Latent, reference, solver
from plnkit.covariance import KINDS, Covariance, count_parameters

N, P, D = 12, 3, 2
WEIGHTS = np.array([1.0, 0, 2, 0.5, 3, 1, 1, 2, 0, 1, 0.1, 1])


@pytest.fixture
def x64():
    with jax.enable_x64(True):
        yield


def draw(seed: int = 0, n: int = N, p: int = P) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts, offsets and covariates."""
    r = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), r.normal(size=n)])
    O = 0.3 * r.normal(size=(n, p))
    Z = O + X @ r.normal(0.7, 0.5, (D, p)) + r.normal(size=(n, p)) * np.linspace(0.3, 1, p)
    return r.poisson(np.exp(Z)).astype(float), O, X


def draw_latent(seed: int = 1) -> Latent:
    r = np.random.default_rng(seed)
    return Latent(jnp.asarray(r.normal(size=(N, P))), jnp.asarray(r.normal(-0.5, 0.3, (N, P))))


def solve(*data: Any, **options: Any) -> solver.Solution:
    """Solve to the last digits."""
    return plnkit.solve(*data, **{"tolerance": 1e-12, **options})


@pytest.mark.slow
@pytest.mark.parametrize("covariance", KINDS)
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_elbo_is_the_references(x64, covariance, weights):
    (M, log_S), data = draw_latent(), draw()
    ours = plnkit.profiled_elbo(Latent(M, log_S), *data, weights=weights, covariance=covariance)
    judged = reference.profiled_elbo(
        M, np.exp(log_S), *data, weights=weights, covariance=covariance
    )
    np.testing.assert_allclose(ours, judged, rtol=1e-13)


@pytest.mark.gate
@pytest.mark.parametrize("covariance", KINDS)
def test_the_profiled_elbo_is_the_elbo_of_the_repeated_samples(x64, covariance):
    """Judged at explicit parameters, of samples that are given as often as their weight says."""
    weights = np.array([2, 1, 0, 3, 1, 1, 2, 0, 1, 1, 1, 1])
    times = np.repeat(np.arange(N), weights)
    (M, log_S), (Y, O, X) = draw_latent(), draw()
    M, S, Y2, O2, X2 = (np.asarray(a)[times] for a in (M, np.exp(log_S), Y, O, X))
    B = np.linalg.lstsq(X2, M)[0]
    R = M - X2 @ B
    Sigma = (R.T @ R + np.diag((S**2).sum(axis=0))) / len(M)
    if covariance != "full":
        variances = np.diag(Sigma)
        Sigma = np.diag(variances if covariance == "diagonal" else np.full(P, variances.mean()))
    judged = reference.elbo(B, R, S, np.linalg.inv(Sigma), Y2, O2, X2)
    weighted = plnkit.profiled_elbo(draw_latent(), Y, O, X, None, weights, covariance)
    np.testing.assert_allclose(weighted, judged, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("covariance", KINDS)
def test_the_solvers_gradient_is_the_elbos(x64, covariance):
    Y, O, X = draw()
    w = jnp.asarray(WEIGHTS)
    root = jnp.sqrt(w)[:, None]
    Q = solver.keep_weighted((jnp.linalg.qr(root * X)[0] / jnp.where(root > 0, root, 1)).T, w)
    log_Y = jnp.log(jnp.maximum(Y, 1))
    base = solver.keep_weighted(solver.residual((log_Y - O).T, Q, w), w)
    constant = -jnp.sum(w * solver.log_remainder(jnp.asarray(Y).T))
    problem = solver.Problem(jnp.asarray(Y).T, w, Q, base, jnp.sum(w), constant, covariance)
    point = solver.Point(*(solver.keep_weighted(a.T, w) for a in draw_latent(2)))

    def elbo(point):
        latent = Latent(point.delta.T + log_Y - O, point.log_S.T)
        return plnkit.profiled_elbo(latent, Y, O, X, None, w, covariance)

    value, gradient, _ = solver.evaluate(point, problem)
    np.testing.assert_allclose(value, elbo(point), rtol=1e-8)
    slope = jax.grad(elbo)(point)
    for ours, exact in zip(gradient[:2], slope, strict=True):
        np.testing.assert_allclose(ours, exact, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(gradient.B, slope.delta @ Q.T, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(
    ("covariance", "weights"),
    [
        pytest.param("full", WEIGHTS, marks=pytest.mark.gate),
        *[pytest.param(one, WEIGHTS, marks=pytest.mark.slow) for one in KINDS if one != "full"],
        *[pytest.param(one, None, marks=pytest.mark.slow) for one in KINDS],
    ],
)
def test_the_solution_is_the_maximum(x64, covariance, weights):
    data = draw()
    found = solve(*data, weights=weights, covariance=covariance)
    at_best = partial(plnkit.profiled_elbo, weights=weights, covariance=covariance)
    value, slope = jax.value_and_grad(at_best)(found.latent, *data)
    assert found.converged
    np.testing.assert_allclose(found.elbo, value, rtol=1e-8)
    for part in slope:
        np.testing.assert_allclose(part, 0, atol=1e-4)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(
    covariance=st.sampled_from(KINDS),
    weights=st.lists(st.integers(0, 3), min_size=N, max_size=N).filter(
        lambda w: np.count_nonzero(w) > D + 3
    ),
    seed=st.integers(0, 9),
)
def test_a_weight_is_a_number_of_samples(covariance: Covariance, weights, seed):
    """2 is the sample twice, 0 is the sample left out."""
    with jax.enable_x64(True):
        Y, O, X = draw(seed)
        times = np.repeat(np.arange(N), weights)
        padded = [np.pad(a[times], [(0, 3 * N - len(times)), (0, 0)]) for a in (Y, O, X)]
        there = np.arange(3 * N) < len(times)
        weighted = solve(Y, O, X, weights=np.array(weights), covariance=covariance)
        repeated = solve(*padded, weights=there, covariance=covariance)
    # Seldom the last gains of one fit are too small for its steps: seen were 4e-7, 1e-9 otherwise.
    np.testing.assert_allclose(weighted.elbo, repeated.elbo, rtol=2e-6)
    kept = np.asarray(weights) > 0
    first = np.unique(times, return_index=True)[1]
    # S, not its logarithm: a taxon that is no more variable than Poisson has S near 0.
    for read in (lambda latent: latent.M, lambda latent: np.exp(latent.log_S)):
        ours, theirs = (np.asarray(read(found.latent)) for found in (weighted, repeated))
        np.testing.assert_allclose(ours[kept], theirs[first], atol=5e-3)


@pytest.mark.parametrize("covariance", KINDS)
def test_the_unit_of_weights_changes_nothing(x64, covariance):
    data = draw()
    one, other = (solve(*data, weights=unit * WEIGHTS, covariance=covariance) for unit in (1, 1e-6))
    np.testing.assert_allclose(1e6 * other.elbo, one.elbo, rtol=1e-10)
    np.testing.assert_allclose(other.latent.M, one.latent.M, atol=1e-6)
    assert other.iterations == one.iterations


@pytest.mark.slow
def test_taxa_of_a_diagonal_covariance_are_fitted_each_on_its_own(x64):
    Y, O, X = draw()
    together = solve(Y, O, X, covariance="diagonal")
    alone = [solve(Y[:, [j]], O[:, [j]], X) for j in range(P)]
    np.testing.assert_allclose(together.elbo, sum(one.elbo for one in alone), rtol=1e-10)
    np.testing.assert_allclose(
        together.latent.M, np.hstack([one.latent.M for one in alone]), atol=1e-4
    )


@pytest.mark.slow
def test_a_spherical_covariance_is_a_diagonal_one_of_equal_taxa(x64):
    Y, O, X = (np.hstack([a[:, :1]] * P) if a.shape[1] == P else a for a in draw())
    one, other = (solve(Y, O, X, covariance=c) for c in ("spherical", "diagonal"))
    np.testing.assert_allclose(one.elbo, other.elbo, rtol=1e-10)


@pytest.mark.slow
def test_fewer_parameters_fit_less(x64):
    data = draw()
    full, diagonal, spherical = (float(solve(*data, covariance=c).elbo) for c in KINDS)
    assert full > diagonal > spherical
    assert [count_parameters(4, c) for c in KINDS] == [10, 4, 1]


@pytest.mark.slow
def test_vmap_over_weights(x64):
    data, weights = draw(), np.stack([WEIGHTS, WEIGHTS[::-1]])
    together = jax.vmap(lambda w: solve(*data, weights=w))(weights)
    alone = [solve(*data, weights=w) for w in weights]
    np.testing.assert_allclose(together.elbo, [one.elbo for one in alone], rtol=1e-10)


@pytest.mark.parametrize("covariance", KINDS)
def test_only_a_full_covariance_makes_a_matrix_of_taxa(covariance):
    n, p = 7, 1234
    shapes = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in ((n, p), (n, p), (n, 2))]
    program = str(jax.make_jaxpr(partial(plnkit.solve, covariance=covariance))(*shapes))
    assert (f"{p},{p}" in program) == (covariance == "full")
