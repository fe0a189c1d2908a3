"""Samples that were not in the fit: positions found, counts predicted, bad tables refused."""

import jax
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit import DataError, new_samples
from plnkit.tests.needs import need


@pytest.fixture(scope="module")
def data() -> plnkit.Simulation:
    return plnkit.simulate(jax.random.key(3), 80, 6, 2)


@pytest.fixture(scope="module")
def fit(data: plnkit.Simulation) -> plnkit.Fit:
    return plnkit.fit(data.Y, O=data.O, X=pd.DataFrame(data.X, columns=["one", "height"]))


def test_the_fits_own_samples_are_found_where_the_fit_has_them(fit, data):
    found = fit.infer(data.Y, O=data.O, X=data.X)
    np.testing.assert_allclose(found.means, fit.latent_means, atol=2e-3)
    np.testing.assert_allclose(found.deviations, fit.latent_deviations, rtol=2e-3)
    np.testing.assert_allclose(found.expected, fit.fitted, rtol=5e-3)
    assert tuple(found.means.columns) == fit.tables.taxa


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([-20.0, 0.0, 8.0]), st.sampled_from([0.1, 10.0]))
def test_the_optimum_is_found_from_anywhere(seed, offset, scale):
    """The gradient is zero there: counts of 0 to a million, and what no count says."""
    r = np.random.default_rng(seed)
    Y = np.floor(10 ** r.uniform(0, 6, (5, 4))) * (r.random((5, 4)) < 0.6)
    Y[r.random((5, 4)) < 0.2] = np.nan
    root = scale * r.normal(size=(4, 4))
    Omega = np.linalg.inv(root @ root.T + 0.1 * np.eye(4))
    eta = np.full((5, 4), offset)
    with jax.enable_x64(True):
        m, log_s = (np.asarray(a) for a in new_samples.infer(Y, eta, Omega))
    s2, known = np.exp(2 * log_s), np.isfinite(Y)
    A = np.where(known, np.exp(eta + m + s2 / 2), 0)
    size = np.nan_to_num(Y) + A + np.abs(m) @ np.abs(Omega)
    assert (np.abs(np.nan_to_num(Y) - A - m @ Omega) < 1e-3 * (1 + size)).all()
    np.testing.assert_allclose(s2 * (A + np.diag(Omega)), 1, rtol=1e-3)


def test_known_counts_tell_of_the_unknown(fit, data):
    """Nearer than covariates alone; a sample of which nothing is known is the model's mean."""
    Y = data.Y.copy()
    Y[:, 0] = np.nan
    told = fit.infer(Y, O=data.O, X=data.X).expected.iloc[:, 0]
    untold = fit.predict(O=data.O, X=data.X).iloc[:, 0]
    misses = [np.mean((np.log1p(data.Y[:, 0]) - np.log1p(guess)) ** 2) for guess in (told, untold)]
    assert misses[0] < 0.8 * misses[1]
    nothing = fit.infer(np.full((1, 6), np.nan), X=data.X[:1])
    np.testing.assert_allclose(nothing.means, data.X[:1] @ fit.parameters.B, atol=1e-6)
    variances = 1 / np.diag(fit.parameters.Omega)
    np.testing.assert_allclose(nothing.deviations.to_numpy()[0] ** 2, variances, rtol=1e-6)


def test_columns_are_taken_by_name(fit, data):
    X = pd.DataFrame(data.X[:3], columns=["one", "height"], index=["a", "b", "c"])
    expected = fit.predict(X=X)
    assert list(expected.index) == ["a", "b", "c"]
    pd.testing.assert_frame_equal(fit.predict(X=X[["height", "one"]]), expected)
    np.testing.assert_array_equal(fit.predict(X=data.X[:3]), expected)


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
    log_means = np.log(ours.predict(X=data.X[:5])) - half
    np.testing.assert_allclose(log_means, model.predict(data.X[:5]).detach().numpy(), atol=0.01)


@pytest.mark.parametrize(
    ("Y", "X", "O", "message"),
    [
        (0, np.ones((3, 1)), None, "covariates: the shape is (3, 1), but the fit has 2 columns: "),
        (0, np.ones(3), None, "covariates: the shape is (3, 1), but the fit has 2 columns: one, "),
        (0, [["a", 1]], None, "covariates: column covariate 0 holds text, 'a' first."),
        (
            0,
            [[np.nan, 1]],
            None,
            "row 0, column 0 (from 0) is nan; every entry must be a finite number.",
        ),
        (
            0,
            pd.DataFrame({"one": [1], "depth": [2]}),
            None,
            "covariates: covariate height of the fit is missing (the first here is one).",
        ),
        (0, np.ones((3, 2)), np.ones((2, 1)), "offsets: the shape is (2, 1); give (3, 6) or (3, 1"),
        (
            0,
            np.ones((3, 2)),
            np.full(3, np.inf),
            "offsets: row 0, column 0 (from 0) is inf (3 such",
        ),
        (
            np.ones((2, 6)),
            np.ones((3, 2)),
            None,
            "covariates: there are 3 rows, but counts have 2.",
        ),
        (np.ones((3, 5)), np.ones((3, 2)), None, "counts: the shape is (3, 5); give (3, 6)."),
        (np.ones((3, 6)) / 2, np.ones((3, 2)), None, "row 0, column 0 (from 0) is 0.5 (18 such"),
        (-np.ones((3, 6)), np.ones((3, 2)), None, "is -1 (18 such entries); counts are whole"),
    ],
)
def test_what_does_not_fit_the_fit(fit, Y, X, O, message):
    with pytest.raises(DataError) as caught:
        fit.predict(O=O, X=X) if isinstance(Y, int) else fit.infer(Y, O=O, X=X)
    assert message in str(caught.value)
