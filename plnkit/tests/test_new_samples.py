"""Samples that were not in the fit: positions found, counts predicted, bad tables refused."""

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import plnkit
from plnkit import ConvergenceWarning, DataError, calibration, coverage, new_samples
from plnkit.compile_counts import compile_counts
from plnkit.tests.needs import need


@pytest.fixture(scope="module")
def data() -> coverage.Simulated:
    setting, r = coverage.Setting(60, 4, 3, 1.5), np.random.default_rng(0)
    return coverage.draw(r, setting.n, *coverage.draw_model(r, setting))


@pytest.fixture(scope="module")
def fit(data: coverage.Simulated) -> plnkit.Fit:
    return plnkit.fit(data.Y, O=data.O, X=pd.DataFrame(data.X, columns=["one", "height", "age"]))


def covariances(means: NDArray, variances: NDArray, eta: NDArray, Y: NDArray, Sigma: NDArray):
    """The V of each sample that belong to its expected counts, (m, p, p)."""
    A = np.exp(np.where(np.isfinite(Y), eta + means + variances / 2, -np.inf))
    return np.linalg.inv(np.linalg.inv(Sigma) + np.eye(len(Sigma)) * A[:, None])


def infer(Y: NDArray, eta: NDArray, Sigma: NDArray) -> tuple[NDArray, NDArray]:
    with jax.enable_x64(True):
        mean, variance, converged = map(np.asarray, new_samples.infer(Y, eta, Sigma))
    assert converged.all()
    return mean, variance


@pytest.mark.slow
def test_the_posterior_is_better_than_the_fits(fit, data):
    """Of the fit's own samples: it has mean-field ones, which are near, and too sure."""
    found = fit.infer(data.Y, O=data.O, X=data.X)
    assert tuple(found.means.columns) == fit.tables.taxa
    _, Sigma, Omega, M, S = fit.parameters
    means, deviations = found.means.to_numpy(), found.deviations.to_numpy()
    center = data.X @ fit.parameters.B

    def elbos(M: NDArray, V: NDArray) -> NDArray:
        v, m = np.einsum("njj->nj", V), M - center
        traces = np.einsum("jk,njk->n", Omega, V) + np.einsum("nj,jk,nk->n", m, Omega, m)
        entries = data.Y * M - np.exp(data.O + M + v / 2)
        return entries.sum(axis=1) + (np.linalg.slogdet(V)[1] - traces) / 2

    V = covariances(means, deviations**2, data.O, data.Y, Sigma)
    np.testing.assert_allclose(np.einsum("njj->nj", V), deviations**2, rtol=1e-8)
    assert (elbos(means, V) > elbos(M, np.eye(4) * (S**2)[:, None])).all()
    assert (np.abs(means - M) < 0.25 * deviations).all()
    assert 1 < np.median(deviations / S) < 1.5
    expected = np.exp(data.O + means + deviations**2 / 2)
    np.testing.assert_allclose(found.expected, expected, rtol=1e-12)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([-20.0, 0.0, 8.0]), st.sampled_from([0.1, 10.0]))
def test_the_optimum_is_found_from_anywhere(seed, offset, scale):
    """The gradient is zero there: counts of 0 to a million, and what no count says."""
    r = np.random.default_rng(seed)
    Y = np.floor(10 ** r.uniform(0, 6, (5, 4))) * (r.random((5, 4)) < 0.6)
    Y[r.random((5, 4)) < 0.2] = np.nan
    root = scale * r.normal(size=(4, 4))
    Sigma = root @ root.T + 0.1 * np.eye(4)
    eta = np.full((5, 4), offset)
    m, v = infer(Y, eta, Sigma)
    A = np.exp(np.where(np.isfinite(Y), eta + m + v / 2, -np.inf))
    left = m - (np.nan_to_num(Y) - A) @ Sigma
    # How far the mean is from where the gradient is zero, whatever Sigma's size.
    correction = np.linalg.solve(np.eye(4) + Sigma * A[:, None], left[..., None])[..., 0]
    assert (np.abs(correction) < 1e-5 * (1 + np.sqrt(v))).all()
    V = covariances(m, v, eta, Y, Sigma)
    np.testing.assert_allclose(v, np.einsum("njj->nj", V), rtol=1e-4)


def test_the_posterior_is_nearly_the_exact_one():
    """By quadrature, two taxa that go together: mean, deviation and expected count of each."""
    Y = np.array([(0, 0), (0, np.nan), (2, np.nan), (1, 9), (40, np.nan)])
    eta, Sigma = np.array([-0.5, 0.5]), np.array([[1.0, 0.9], [0.9, 1.0]])
    # With two taxa that have nothing to do with them: a program of this size is there already.
    whole = scipy.linalg.block_diag(Sigma, np.eye(2))
    more = np.hstack([Y, np.full((5, 2), np.nan)])
    m, v = (found[:, :2] for found in infer(more, np.tile(eta, (5, 2)), whole))
    grid = np.linspace(-8, 8, 321)
    Z = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1)
    prior = -np.einsum("abj,jk,abk->ab", Z, np.linalg.inv(Sigma), Z) / 2
    for i, y in enumerate(Y):
        terms = np.where(np.isfinite(y), np.nan_to_num(y) * Z - np.exp(eta + Z), 0)
        weights = np.exp(prior + terms.sum(axis=-1))[..., None]
        weights /= weights.sum()
        mean = (weights * Z).sum(axis=(0, 1))
        deviation = np.sqrt((weights * (Z - mean) ** 2).sum(axis=(0, 1)))
        expected = (weights * np.exp(eta + Z)).sum(axis=(0, 1))
        np.testing.assert_allclose(m[i], mean, atol=0.02 * deviation.min())
        np.testing.assert_allclose(np.sqrt(v[i]), deviation, rtol=0.04)
        np.testing.assert_allclose(np.exp(eta + m[i] + v[i] / 2), expected, rtol=0.02)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_unknown_positions_are_conditional_on_the_known(seed):
    """They follow from the posterior of the known taxa alone, with its uncertainty."""
    r = np.random.default_rng(seed)
    root = r.normal(size=(4, 5))
    Sigma, eta = root @ root.T / 5, r.normal(size=(5, 4))
    order = r.permutation(4)
    k, u = order[:2], order[2:]
    Y = r.poisson(np.exp(eta + r.normal(size=(5, 5)) @ root.T / 5**0.5)).astype(float)
    Y[:, u] = np.nan
    m, v = infer(Y, eta, Sigma)
    within, alone = Sigma[np.ix_(k, k)], np.eye(4)
    alone[np.ix_(k, k)] = within
    m_k, v_k = (found[:, k] for found in infer(Y, eta, alone))
    np.testing.assert_allclose(m[:, k], m_k, atol=1e-6)
    np.testing.assert_allclose(v[:, k], v_k, rtol=1e-6)
    W = np.linalg.solve(within, Sigma[np.ix_(k, u)]).T
    V_k = covariances(m_k, v_k, eta[:, k], Y[:, k], within)
    np.testing.assert_allclose(m[:, u], m_k @ W.T, atol=1e-6)
    conditional = Sigma[np.ix_(u, u)] - W @ Sigma[np.ix_(k, u)] + W @ V_k @ W.T
    np.testing.assert_allclose(v[:, u], np.einsum("njj->nj", conditional), rtol=1e-5)


@pytest.mark.slow
def test_known_counts_tell_of_the_unknown(fit, data):
    """Nearer than covariates alone; a sample of which nothing is known is the model's mean."""
    Y = data.Y.astype(float)
    Y[:, 0] = np.nan
    reported = fit.infer(Y, O=data.O, X=data.X).expected.iloc[:, 0]
    predicted = fit.predict(O=data.O, X=data.X)
    untold = predicted.iloc[:, 0]
    misses = [
        np.mean((np.log1p(data.Y[:, 0]) - np.log1p(guess)) ** 2) for guess in (reported, untold)
    ]
    assert misses[0] < 0.8 * misses[1]
    nothing = fit.infer(np.full(data.Y.shape, np.nan), O=data.O, X=data.X)
    np.testing.assert_allclose(nothing.expected, predicted, rtol=1e-12)
    variances = np.tile(np.diag(fit.parameters.Sigma), (60, 1))
    np.testing.assert_allclose(nothing.deviations**2, variances, rtol=1e-12)


@pytest.mark.gate
def test_samples_do_not_depend_on_each_other(fit, data):
    """Whatever is known of which, and with one program."""
    Y = data.Y.astype(float)
    Y[np.random.default_rng(0).random(Y.shape) < 0.4] = np.nan
    together = fit.infer(Y, O=data.O, X=data.X)
    with compile_counts() as compiling:
        turned = fit.infer(Y[::-1], O=data.O[::-1], X=data.X[::-1])
    assert compiling["compilations"] == 0
    for one, other in zip(together, turned, strict=True):
        np.testing.assert_allclose(one, other[::-1], rtol=1e-9, atol=1e-12)


def test_the_counts_may_not_be_explained(fit, data, monkeypatch):
    def give_up(Y, eta, Sigma):
        return new_samples.Position(jnp.zeros((2, 4)), jnp.ones((2, 4)), jnp.array([True, False]))

    monkeypatch.setattr("plnkit.result.infer", give_up)
    with pytest.warns(ConvergenceWarning) as caught:
        fit.infer(data.Y[:2], O=data.O[:2], X=data.X[:2])
    assert str(caught[0].message).startswith(
        "the positions of 1 of 2 samples are not those of the best ELBO (the first is sample 1): "
        "their counts contradict the model."
    )


@pytest.mark.slow
def test_steps_may_run_out(monkeypatch):
    monkeypatch.setattr(new_samples, "MOST_STEPS", 2)
    Y, eta, Sigma = np.array([[np.nan] * 3, [900, 0, 3]]), np.zeros((2, 3)), np.eye(3)
    jax.clear_caches()  # programs hold the limit
    assert new_samples.infer(Y, eta, Sigma).converged.tolist() == [True, False]
    jax.clear_caches()


def test_columns_are_taken_by_name(fit, data):
    X = pd.DataFrame(data.X[:3], columns=["one", "height", "age"], index=["a", "b", "c"])
    with pytest.warns(plnkit.DataWarning, match="offsets: the fit had some, and none are given"):
        expected = fit.predict(X=X)
    assert list(expected.index) == ["a", "b", "c"]
    O = np.zeros(3)  # no word about it
    pd.testing.assert_frame_equal(fit.predict(O=O, X=X[["height", "one", "age"]]), expected)
    np.testing.assert_array_equal(fit.predict(O=O, X=data.X[:3]), expected)


@pytest.mark.slow
def test_calibration():
    """Few data sets: the README has the figures of many."""
    setting = calibration.Setting(300, 10, 2, 0.0)
    found = calibration.calibrate(setting, 10, lambda what: None)
    assert [one["share_unknown"] for one in found] == [0, 0.25, 0.5, 1]
    assert found[0]["unknown"] is None and found[-1]["known"] is None
    for one in found:
        for kind in filter(None, (one["known"], one["unknown"])):
            assert 0.92 < kind["coverage"] < 0.98, one
            assert 0.85 < kind["expected"] < 1.15, one


def test_the_table_of_calibration():
    half = {"coverage": 0.95, "expected": 1.02}
    one = {"share_unknown": 0.5, "known": half, "unknown": half}
    all_ = {"share_unknown": 1.0, "known": None, "unknown": half}
    header, *rows = calibration.table({"calibration": {"n=100": [one, all_]}})
    assert header[:3] == ("data", "unknown", "known: coverage")
    assert rows == [
        ("n=100", "50%", "95.0%", "1.02", "95.0%", "1.02"),
        ("n=100", "100%", "", "", "95.0%", "1.02"),
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # torch's own
def test_predictions_are_pyplnmodels(data):
    """The linear predictor: its `predict` gives X B."""
    need("torch")
    pln = need("pyPLNmodels").Pln
    model = pln(endog=data.Y, exog=data.X, offsets=data.O, add_const=False)
    model.fit(verbose=False)
    ours = plnkit.fit(data.Y, O=data.O, X=data.X)
    half = np.diag(ours.covariance) / 2
    log_means = np.log(ours.predict(O=np.zeros(5), X=data.X[:5])) - half
    np.testing.assert_allclose(log_means, model.predict(data.X[:5]).detach().numpy(), atol=0.01)


@pytest.mark.parametrize(
    ("Y", "X", "O", "message"),
    [
        (0, np.ones((3, 1)), None, "covariates: the shape is (3, 1), but the fit has 3 columns: "),
        (0, np.ones(3), None, "covariates: the shape is (3, 1), but the fit has 3 columns: one, "),
        (0, [["a", 1, 1]], None, "covariates: row 0, column 0 (from 0) is text, 'a'."),
        (
            0,
            [[np.nan, 1, 1]],
            None,
            "row 0, column 0 (from 0) is nan; every entry must be a finite number.",
        ),
        (
            0,
            pd.DataFrame({"one": [1], "depth": [2], "age": [3]}),
            None,
            "covariates: covariate 'height' of the fit is missing (here is 'depth').",
        ),
        (0, np.ones((3, 3)), np.ones((2, 1)), "offsets: the shape is (2, 1); give (3, 4) or (3, 1"),
        (
            0,
            np.ones((3, 3)),
            np.full(3, np.inf),
            "offsets: row 0, column 0 (from 0) is inf (3 such",
        ),
        (
            np.ones((2, 4)),
            np.ones((3, 3)),
            None,
            "covariates: there are 3 rows, but counts have 2.",
        ),
        (np.ones((3, 5)), np.ones((3, 3)), None, "counts: the shape is (3, 5); give (3, 4)."),
        (np.ones((3, 4)) / 2, np.ones((3, 3)), None, "row 0, column 0 (from 0) is 0.5 (12 such"),
        (-np.ones((3, 4)), np.ones((3, 3)), None, "is -1 (12 such entries); counts are whole"),
    ],
)
def test_what_does_not_fit_the_fit(fit, Y, X, O, message):
    with pytest.raises(DataError) as caught:
        fit.predict(O=O, X=X) if isinstance(Y, int) else fit.infer(Y, O=O, X=X)
    assert message in str(caught.value)
