"""Standard errors: against autodiff, pyPLNmodels, the deviation of many fits, and on odd data."""

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit import ConvergenceWarning, coverage
from plnkit import standard_errors as errors_of
from plnkit.design import make_design
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


@pytest.fixture(scope="module")
def fit() -> plnkit.Fit:
    Y, O, X = draw(0, 60, 4, 3, -0.5)  # the shape of other files' fits, which is compiled once
    return plnkit.fit(Y, O=O, X=X)


def log_det(A: Any) -> Any:
    """By elimination: what autodiff makes of `slogdet` takes seconds to compile."""
    total = 0.0
    while len(A):
        total += jnp.log(A[0, 0])
        A = A[1:, 1:] - jnp.outer(A[1:, 0], A[0, 1:]) / A[0, 0]
    return total


def by_autodiff(fit: plnkit.Fit) -> Any:
    """The same sandwich built whole: every Hessian dense, by autodiff, and none of our algebra."""
    t, (B, _, Omega, M, S) = fit.tables, fit.parameters
    (n, p), d = t.Y.shape, t.X.shape[1]
    upper, q = np.triu_indices(p), d * p + p * (p + 1) // 2

    def one(both, y, o, x):
        B, half = both[: d * p].reshape(d, p), jnp.zeros((p, p)).at[upper].set(both[d * p : q])
        whole = half + half.T - jnp.diag(jnp.diagonal(half))
        m, log_s = both[q : q + p], both[q + p :]
        s2, eta = jnp.exp(2 * log_s), o + x @ B + m
        gaussian = log_det(whole) - m @ whole @ m - s2 @ jnp.diagonal(whole)
        return gaussian / 2 + jnp.sum(y * eta - jnp.exp(eta + s2 / 2) + log_s)

    def twice(both, *sample):
        gradient = jax.grad(one)
        return jax.jacfwd(lambda both: (gradient(both, *sample),) * 2, has_aux=True)(both)

    theta = np.tile(np.concatenate([B.ravel(), Omega[upper]]), (n, 1))
    both = np.hstack([theta, M - t.X @ B, np.log(S)])
    H, scores = map(np.asarray, jax.jit(jax.vmap(twice))(both, t.Y, t.O, t.X))
    profiled = H[:, :q, :q] - H[:, :q, q:] @ np.linalg.solve(H[:, q:, q:], H[:, q:, :q])
    moves = np.linalg.solve(-profiled.sum(axis=0), scores[:, :q].T)
    return moves[: d * p].reshape(d, p, n)


def check_algebra(fit: plnkit.Fit) -> None:
    with jax.enable_x64(True):
        exact = by_autodiff(fit)
    np.testing.assert_allclose(fit.influence, exact, rtol=0, atol=5e-3 * np.abs(exact).max())
    errors = np.sqrt((exact**2).sum(axis=-1))
    np.testing.assert_allclose(fit.standard_errors, errors, rtol=1e-3)


@pytest.mark.slow
def test_the_algebra_is_the_models(fit):
    check_algebra(fit)


@pytest.mark.slow
def test_the_algebra_with_more_taxa_than_samples():
    Y, O, X = draw(0, 6, 8, 1, 3.0)
    check_algebra(plnkit.fit(Y, O=O, X=X))


def test_a_budget_of_memory_divides_the_work():
    assert errors_of.plan(116, 114, 3, 2**30) == (32, 64, True)
    seen = [errors_of.plan(795, 500, 1, int(gib * 2**30)) for gib in (1, 1.5, 4)]
    assert [one.keep for one in seen] == [False, False, True]
    assert 8 <= seen[0].coefficients <= seen[1].coefficients


def test_too_small_a_budget_is_refused(fit):
    expected = (
        r"^standard errors of 12 coefficients \(60 samples, 4 taxa, 3 covariates\) need "
        r"\d\.\d MiB of memory, and the budget is 0.0 MiB. Where there is more, give it: "
        r"fit.coefficient_table\(memory=1 \* 2\*\*30\). Or fit fewer taxa.$"
    )
    with pytest.raises(MemoryError, match=expected):
        replace(fit).coefficient_table(memory=50_000)
    with pytest.raises(MemoryError, match=r"of 2059 coefficients .* need 3\.0 GiB"):
        errors_of.plan(795, 2059, 1, errors_of.MEMORY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "p", "d", "mebibytes"), [(200, 300, 1, 250), (200, 300, 1, 110), (2000, 60, 2, 50)]
)
def test_the_budget_is_kept(n, p, d, mebibytes):
    """By XLA's own account of its buffers."""
    budget = mebibytes * 2**20
    r, group, keep = errors_of.plan(n, p, d, budget)

    def bytes_of(function, *arguments, **options) -> int:
        found = function.lower(*arguments, **options).compile().memory_analysis()
        return found.argument_size_in_bytes + found.output_size_in_bytes + found.temp_size_in_bytes

    with jax.enable_x64(True):
        shapes = [jax.ShapeDtypeStruct((n, k), float) for k in (p, p, d, p, p)]
        problem = jax.eval_shape(
            lambda *arrays: errors_of._prepare(*arrays, group=group, keep=keep), *shapes
        )
        right = jax.ShapeDtypeStruct((d, p, r), float)
        assert budget / 8 < bytes_of(errors_of._prepare, *shapes, group=group, keep=keep) < budget
        assert budget / 8 < bytes_of(errors_of._influence_on, problem, right) < budget


@pytest.mark.slow
def test_the_budget_changes_no_error(fit, monkeypatch):
    """A few coefficients and samples at a time, and inverses computed again."""
    monkeypatch.setattr(errors_of, "plan", lambda *_: errors_of.Plan(5, 7, False))
    np.testing.assert_allclose(replace(fit).standard_errors, fit.standard_errors, rtol=2e-3)


@pytest.mark.slow
def test_equations_that_are_not_solved_are_told(fit, monkeypatch):
    monkeypatch.setattr(errors_of, "MOST_STEPS", 1)
    jax.clear_caches()  # programs hold the limit
    with pytest.warns(ConvergenceWarning) as caught:
        replace(fit).coefficient_table()
    jax.clear_caches()
    assert str(caught[0].message) == (
        "the standard errors of 12 of 12 coefficients are not accurate: their equations were not "
        "solved in 1 iterations."
    )


@pytest.mark.gate
def test_the_table_of_coefficients(fit):
    table = fit.coefficient_table(0.9)
    assert list(table.covariate) == [f"covariate {k}" for k in range(3) for _ in range(4)]
    assert list(table.taxon) == [f"taxon {j}" for j in range(4)] * 3
    np.testing.assert_array_equal(table.coefficient, fit.coefficients.to_numpy().ravel())
    np.testing.assert_array_equal(table.standard_error, fit.standard_errors.to_numpy().ravel())
    np.testing.assert_allclose(table.high - table.coefficient, 1.644853627 * table.standard_error)
    np.testing.assert_allclose(table.coefficient - table.low, 1.644853627 * table.standard_error)
    np.testing.assert_allclose(table.z, table.coefficient / table.standard_error)
    assert ((table.p_value < 0.1) == ((table.low > 0) | (table.high < 0))).all()
    for level in (0, 1, 95):
        with pytest.raises(ValueError, match=f"the level is {level}; it lies between 0 and 1"):
            fit.coefficient_table(level)


@pytest.mark.gate
def test_a_coefficient_without_a_finite_estimate_has_no_error():
    """Taxon 1 was never seen at tree b, taxon 2 only there, taxon 3 never where height is > 0."""
    tree, height = np.repeat([0, 1], 30), np.tile([-1, 1], 30)
    Y = np.random.default_rng(5).poisson(6.0, (60, 4))
    Y[tree == 1, 1] = Y[tree == 0, 2] = Y[height > 0, 3] = 0
    X = np.column_stack([np.ones(60), tree, height])
    assert plnkit.fit(Y, X=X).standard_errors.isna().to_numpy().tolist() == [
        [False, False, True, True],  # where the covariate's other side holds the intercept
        [False, True, True, False],
        [False, False, False, True],
    ]


def test_the_oaks_coefficients_without_a_finite_estimate():
    oaks = plnkit.load_oaks("tree")
    infinite = find_infinite(oaks.Y, make_design(oaks.X, "abc"))
    assert infinite.sum(axis=1).tolist() == [3, 7, 7]
    never = [oaks.Y[oaks.leaves["tree"] == tree].sum(axis=0) == 0 for tree in TREES]
    np.testing.assert_array_equal(infinite.any(axis=0), np.any(never, axis=0))
    assert not find_infinite(oaks.Y, make_design(oaks.X[:, :1], "a")).any()


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


@pytest.mark.slow
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
