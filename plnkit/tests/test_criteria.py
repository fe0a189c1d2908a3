"""Criteria of fits: AIC, BIC, ICL, R^2, and the ELBO of each sample."""

import jax
import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit import criteria, poisson
from plnkit.covariance import KINDS


@pytest.fixture(scope="module", params=KINDS)
def fit(request):
    drawn = plnkit.simulate(jax.random.key(4), 40, 3, 2)
    weights = np.arange(40) % 3 + 0.5
    return plnkit.fit(drawn.Y, O=drawn.O, X=drawn.X, weights=weights, covariance=request.param)


@pytest.mark.slow
def test_elbos_of_samples_add_up(fit):
    elbos = fit.sample_elbos
    assert elbos.shape == (40,) and list(elbos.index) == list(fit.tables.samples)
    np.testing.assert_allclose(fit.weights @ elbos, fit.elbo, rtol=1e-12)


@pytest.mark.slow
def test_the_elbo_of_a_sample_is_the_models(fit):
    """That of the third, at the fit's parameters, by the definition."""
    B, Sigma, _, M, S = fit.parameters
    Sigma = Sigma if Sigma.ndim == 2 else np.diag(Sigma)
    (Y, O, X), m, s = (a[2].astype(float) for a in fit.tables[:3]), M[2], S[2]
    prior = scipy.stats.multivariate_normal(X @ B, Sigma)
    expected = prior.logpdf(m) - np.sum(np.diag(np.linalg.inv(Sigma)) * s**2) / 2
    expected += np.sum(Y * (O + m) - np.exp(O + m + s**2 / 2) - scipy.special.gammaln(Y + 1))
    expected += np.sum(scipy.stats.norm(m, s).entropy())
    np.testing.assert_allclose(fit.sample_elbos.iloc[2], expected, rtol=1e-12)


@pytest.mark.gate
def test_smaller_criteria_are_better(fit):
    k, n = fit.n_parameters, fit.weights.sum()
    assert k == 2 * 3 + {"full": 6, "diagonal": 3, "spherical": 1}[fit.covariance_kind]
    np.testing.assert_allclose(fit.aic, -fit.elbo + k)
    np.testing.assert_allclose(fit.bic, -fit.elbo + k * np.log(n) / 2)
    entropies = scipy.stats.norm(fit.M, fit.S.astype(float)).entropy().sum(axis=1)
    np.testing.assert_allclose(fit.icl, fit.bic + fit.weights @ entropies, rtol=1e-7)


@pytest.mark.gate
def test_r_squared_is_a_share_of_the_deviance(fit):
    t, w = fit.tables, fit.weights[:, None]

    def deviance(mean):
        return (w * 2 * (scipy.special.xlogy(t.Y, t.Y / mean) - t.Y + mean)).sum()

    null = np.empty(t.Y.shape)
    for j in range(3):

        def loss(b, j=j):
            eta = t.O[:, j] + t.X @ b
            return (fit.weights * (np.exp(eta) - t.Y[:, j] * eta)).sum()

        best = scipy.optimize.minimize(loss, np.zeros(2), method="BFGS", options={"gtol": 1e-6})
        null[:, j] = np.exp(t.O[:, j] + t.X @ best.x)
    explained = 1 - deviance(np.exp(t.O + fit.M.astype(float))) / deviance(null)
    assert 0.5 < explained < 1
    np.testing.assert_allclose(fit.r_squared, explained, rtol=1e-5)


def test_r_squared_is_1_where_every_count_has_its_mean_and_0_for_the_regression():
    r = np.random.default_rng(0)
    Y, O, Q = r.poisson(5, (30, 2)) + 1.0, r.normal(size=(30, 2)), np.full((30, 1), 30**-0.5)
    null = np.log(Y.sum(axis=0) / np.exp(O).sum(axis=0)) * np.ones((30, 1))
    np.testing.assert_allclose(criteria.r_squared(Y, O, np.log(Y) - O, Q, np.ones(30)), 1)
    np.testing.assert_allclose(criteria.r_squared(Y, O, null, Q, np.ones(30)), 0, atol=1e-9)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 999), d=st.integers(0, 3), scale=st.sampled_from([0.5, 3.0]))
def test_poisson_regressions_reach_the_maximum(seed, d, scale):
    """A concave likelihood is at its maximum where its gradient is zero."""
    r = np.random.default_rng(seed)
    n, p = 25, 4
    Q, O, w = r.normal(size=(n, d)), scale * r.normal(size=(n, p)), r.uniform(0.1, 3, n)
    Y = r.poisson(np.exp(np.clip(scale * r.normal(size=(n, p)), -5, 8))) + (r.uniform() < 0.5)
    Y[0] += 1
    found = poisson.regress(Y, O, Q, w)

    def loss(b, j):
        eta = O[:, j] + Q @ b
        return -(w * (Y[:, j] * eta - np.exp(eta))).sum()

    def slope(b, j):
        return -Q.T @ (w * (Y[:, j] - np.exp(O[:, j] + Q @ b)))

    def curvature(b, j):
        return (Q.T * (w * np.exp(O[:, j] + Q @ b))) @ Q

    for j in range(p):
        b = np.zeros(d)
        if d:  # its steps are never too long, as those of a line search may be
            how = {"jac": slope, "hess": curvature, "method": "trust-exact"}
            b = scipy.optimize.minimize(loss, b, (j,), **how, options={"gtol": 1e-8}).x
        np.testing.assert_allclose(found[j], -loss(b, j), rtol=1e-4, atol=1e-4)


def test_a_regression_without_a_maximum_ends_at_its_limit():
    """A taxon that is never seen where an indicator points: its mean there falls to 0."""
    Y = np.array([[3.0], [5], [0], [0]])
    X = np.array([[1.0, 0], [1, 0], [1, 1], [1, 1]])
    found = poisson.regress(Y, np.zeros((4, 1)), X, np.ones(4))
    np.testing.assert_allclose(found, 8 * np.log(4) - 8, atol=1e-6)


def test_nothing_is_left_to_explain():
    """Where the regression has the mean of each count already."""
    Y, n = np.full((6, 2), 3.0), 6
    flat = np.zeros((n, 2))
    assert np.isnan(criteria.r_squared(Y, flat, flat, np.full((n, 1), n**-0.5), np.ones(n)))
