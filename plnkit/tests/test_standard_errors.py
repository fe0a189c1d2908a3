"""Standard errors: against autodiff, pyPLNmodels, the deviation of many fits, and on odd data."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit import coverage
from plnkit.separation import find_infinite
from plnkit.tests.needs import need

TREES = ("intermediate", "resistant", "susceptible")


def draw(seed: int, n: int, p: int, d: int, mean: float) -> tuple[Any, Any, Any]:
    r = np.random.default_rng(seed)
    X = np.hstack([np.ones((n, 1)), r.normal(size=(n, d - 1))])
    O = 0.3 * r.normal(size=(n, p))
    Y = r.poisson(np.exp(O + mean + 0.3 * X.sum(axis=1, keepdims=True) + r.normal(size=(n, p))))
    Y[:, 0] += Y.sum(axis=1) == 0
    Y[0] += Y.sum(axis=0) == 0
    return Y, O, X


def by_autodiff(fit: plnkit.Fit) -> Any:
    """The same sandwich built whole: every Hessian dense, by autodiff, and none of our algebra."""
    t, (B, _, Omega, M, S) = fit.tables, fit.parameters
    (n, p), d = t.Y.shape, t.X.shape[1]
    upper = jnp.triu_indices(p)

    def one(theta, psi, y, o, x):
        B, half = theta[: d * p].reshape(d, p), jnp.zeros((p, p)).at[upper].set(theta[d * p :])
        whole = half + half.T - jnp.diag(jnp.diagonal(half))
        m, s2, eta = psi[:p], jnp.exp(2 * psi[p:]), o + x @ B + psi[:p]
        gaussian = jnp.linalg.slogdet(whole)[1] - m @ whole @ m - s2 @ jnp.diagonal(whole)
        return gaussian / 2 + jnp.sum(y * eta - jnp.exp(eta + s2 / 2) + psi[p:])

    def terms(theta, psi, *sample):
        q = len(theta)
        both = jnp.concatenate([theta, psi])
        H = jax.hessian(lambda z: one(z[:q], z[q:], *sample))(both)
        profiled = H[:q, :q] - H[:q, q:] @ jnp.linalg.solve(H[q:, q:], H[q:, :q])
        return jax.grad(one)(theta, psi, *sample), profiled

    theta = np.concatenate([B.ravel(), Omega[upper]])
    psi = np.hstack([M - t.X @ B, np.log(S)])
    scores, hessians = jax.jit(jax.vmap(terms, (None, 0, 0, 0, 0)))(theta, psi, t.Y, t.O, t.X)
    moves = np.linalg.solve(-np.sum(hessians, axis=0), np.asarray(scores).T)
    return moves[: d * p].reshape(d, p, n)


@pytest.mark.parametrize(("n", "p", "d", "mean"), [(30, 3, 2, -0.5), (6, 8, 1, 3.0)])
def test_the_algebra_is_the_models(n, p, d, mean):
    Y, O, X = draw(0, n, p, d, mean)
    fit = plnkit.fit(Y, O=O, X=X)
    with jax.enable_x64(True):
        exact = by_autodiff(fit)
    np.testing.assert_allclose(fit.influence, exact, rtol=0, atol=2e-3 * np.abs(exact).max())
    errors = np.sqrt((exact**2).sum(axis=-1))
    np.testing.assert_allclose(fit.standard_errors, errors, rtol=1e-3)


def test_the_table_of_coefficients():
    Y, O, X = draw(1, 60, 3, 2, 1.0)
    fit = plnkit.fit(Y, O=O, X=X)
    table = fit.coefficient_table(0.9)
    assert list(table.covariate) == ["covariate 0"] * 3 + ["covariate 1"] * 3
    assert list(table.taxon) == ["taxon 0", "taxon 1", "taxon 2"] * 2
    np.testing.assert_array_equal(table.coefficient, fit.coefficients.to_numpy().ravel())
    np.testing.assert_array_equal(table.standard_error, fit.standard_errors.to_numpy().ravel())
    np.testing.assert_allclose(table.high - table.coefficient, 1.644853627 * table.standard_error)
    np.testing.assert_allclose(table.coefficient - table.low, 1.644853627 * table.standard_error)
    np.testing.assert_allclose(table.z, table.coefficient / table.standard_error)
    assert ((table.p_value < 0.1) == ((table.low > 0) | (table.high < 0))).all()
    for level in (0, 1, 95):
        with pytest.raises(ValueError, match=f"the level is {level}; it lies between 0 and 1"):
            fit.coefficient_table(level)


def test_a_coefficient_without_a_finite_estimate_has_no_error():
    """Taxon 1 was never seen at tree b, taxon 2 only there, taxon 3 never where height is > 0."""
    r = np.random.default_rng(5)
    tree, height = np.repeat([0.0, 1.0], 20), np.tile([-1.0, 1.0], 20)
    X = np.column_stack([np.ones(40), tree, height])
    Y = r.poisson(6.0, (40, 4))
    Y[tree == 1, 1] = Y[tree == 0, 2] = Y[height > 0, 3] = 0
    missing = plnkit.fit(Y, X=X).standard_errors.isna().to_numpy()
    assert missing.tolist() == [
        [False, False, True, True],  # where the covariate's other side holds the intercept
        [False, True, True, False],
        [False, False, False, True],
    ]


def test_the_oaks_coefficients_without_a_finite_estimate():
    oaks = plnkit.load_oaks("tree")
    infinite = find_infinite(oaks.Y, oaks.X)
    assert infinite.sum(axis=1).tolist() == [3, 7, 7]
    never = [oaks.Y[oaks.leaves["tree"] == tree].sum(axis=0) == 0 for tree in TREES]
    np.testing.assert_array_equal(infinite.any(axis=0), np.any(never, axis=0))
    assert not find_infinite(oaks.Y, oaks.X[:, :1]).any()


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 100), st.sampled_from([-1.5, 0.0, 4.0]), st.sampled_from([6, 20]))
def test_errors_are_numbers_whatever_the_data(seed, mean, n):
    """More taxa than samples, too, and nearly all zeros."""
    Y, O, X = draw(seed, n, 8, 1, mean)
    fit = plnkit.fit(Y, O=O, X=X)
    assert np.isfinite(fit.standard_errors.to_numpy()).all()
    assert (fit.standard_errors.to_numpy() > 0).all()


@pytest.mark.slow
def test_the_order_of_samples_and_the_scale_of_covariates():
    Y, O, X = draw(2, 50, 4, 2, 1.0)
    errors = plnkit.fit(Y, O=O, X=X).standard_errors.to_numpy()
    shuffled = np.random.default_rng(0).permutation(50)
    again = plnkit.fit(Y[shuffled], O=O[shuffled], X=X[shuffled]).standard_errors.to_numpy()
    np.testing.assert_allclose(again, errors, rtol=2e-3)
    scaled = plnkit.fit(Y, O=O, X=X * [1, 10]).standard_errors.to_numpy()
    np.testing.assert_allclose(scaled, errors / [[1], [10]], rtol=2e-3)


def test_a_model_without_covariates_has_no_errors():
    Y, O, _ = draw(3, 20, 3, 1, 1.0)
    fit = plnkit.fit(Y, O=O, X=np.zeros((20, 0)))
    assert fit.standard_errors.shape == (0, 3) and fit.coefficient_table().empty


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # torch's own
def test_pyplnmodels_errors_are_ours_where_sigma_does_not_matter():
    """Theirs hold Sigma. With large counts that changes little, and we agree.

    Theirs are for one covariate: for several, pyPLNmodels 1.0.10 gives them in another order than
    the coefficients'.
    """
    need("torch")
    pln = need("pyPLNmodels").Pln
    Y, O, X = draw(4, 150, 5, 1, 5.0)
    theirs = pln(endog=Y, exog=X, offsets=O, add_const=False)
    theirs.fit(verbose=False, tol=0)
    errors = np.sqrt(np.asarray(theirs.get_variance_coef())).reshape(1, 5)
    np.testing.assert_allclose(plnkit.fit(Y, O=O, X=X).standard_errors, errors, rtol=0.03)


@pytest.mark.slow
def test_coverage_and_the_bootstrap():
    """Few data sets: the README has the figures of many."""
    setting = coverage.Setting(300, 10, 2, 0.0)
    result = coverage.cover(setting, 20, lambda what: None)
    assert 0.25 < result["zeros"] < 0.5
    # 400 intervals, of which those of one data set go together: 6 deviations.
    for which in ("intercepts", "others"):
        assert 0.88 < result[which] <= 1, result
    assert 0.8 < result["error_over_deviation"] < 1.25
    compared = coverage.compare_with_bootstrap(20, lambda what: None)
    low, middle, high = compared["error_over_bootstrap"]
    assert low < middle < high and 0.8 < middle < 1.25


def test_the_table_of_coverage():
    one = {key: 0.95 for key in ("zeros", "intercepts", "others", "all")}
    result = {
        "coverage": {"n=100": {**one, "error_over_deviation": 1.02}},
        "bootstrap": {"error_over_bootstrap": [0.9, 1.0, 1.1]},
    }
    header, row, last = coverage.table(result)
    assert header == ("data", "zeros", "intercepts", "others", "all", "error / deviation")
    assert row == ("n=100", "95.0%", "95.0%", "95.0%", "95.0%", "1.02")
    assert last[0] == "oaks, against the bootstrap" and last[-1] == "1.00 (0.90 to 1.10)"
