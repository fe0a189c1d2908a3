"""A fit does not depend on the units, shifts, order and mixtures of its covariates."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit.design import make_design
from plnkit.separation import find_infinite

N, P, D = 60, 4, 3


@cache
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts, offsets, and an intercept with a covariate in metres and one of mean 0."""
    r = np.random.default_rng(7)
    X = np.column_stack([np.ones(N), r.integers(0, 80, N) / 8, r.normal(size=N)])
    O = 0.3 * r.normal(size=(N, P))
    Z = X @ [[1.0] * P, [0.2, -0.2, 0.1, 0.0], [0.5] * P] + 0.7 * r.normal(size=(N, P))
    return r.poisson(np.exp(O + Z)), O, X


@cache
def plain() -> plnkit.Fit:
    Y, O, X = data()
    return plnkit.fit(Y, O=O, X=X)


def northing(shift: float) -> np.ndarray:
    """What the metres are counted from."""
    return np.array([0.0, shift, 0.0])


def z_values(fit: plnkit.Fit) -> np.ndarray:
    return fit.coefficient_table().z.to_numpy().reshape(D, P)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [1e5, 5_092_000, 1e7, 1e9])
def test_a_northing_changes_no_number(shift):
    Y, O, X = data()
    moved = plnkit.fit(Y, O=O, X=X + northing(shift))
    assert moved.elbo == plain().elbo and moved.iterations == plain().iterations
    np.testing.assert_array_equal(moved.M, plain().M)
    B, B_moved = plain().parameters.B, moved.parameters.B
    np.testing.assert_allclose(B_moved[1:], B[1:], rtol=1e-12)
    np.testing.assert_allclose(B_moved[0] + shift * B_moved[1], B[0], atol=1e-14 * shift)
    new = moved.predict(O=O[:3], X=X[:3] + northing(shift))
    np.testing.assert_allclose(new, plain().predict(O=O[:3], X=X[:3]), rtol=1e-13 * shift)


changes = st.fixed_dictionaries(
    {
        "units": st.lists(st.sampled_from([-1e-9, 1e-3, 1.0, 1e6]), min_size=D, max_size=D),
        "shifts": st.lists(st.sampled_from([0.0, -3.0, 5e6]), min_size=2, max_size=2),
        "order": st.permutations(range(D)),
    }
)
MIXED = np.array([[1, 0, 0], [0, 2, 1], [0, -1, 1]])


def refit(units, shifts, order, mixture) -> tuple[plnkit.Fit, np.ndarray]:
    """The fit to changed covariates, and its coefficients on those of the plain fit."""
    Y, O, X = data()
    change = mixture + np.outer([1, 0, 0], [0, *shifts])
    change = (change * units)[:, order]
    fit = plnkit.fit(Y, O=O, X=X @ change)
    return fit, change @ fit.parameters.B


@pytest.mark.gate
@settings(max_examples=15, deadline=None)
@given(changes, st.sampled_from([np.eye(3), MIXED]))
def test_any_affine_change(change, mixture):
    fit, B = refit(**change, mixture=mixture)
    assert fit.elbo == pytest.approx(plain().elbo, abs=2e-3)
    np.testing.assert_allclose(fit.fitted, plain().fitted, rtol=5e-3)
    np.testing.assert_allclose(B[1:], plain().parameters.B[1:], atol=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [1e5, 5_092_000, 1e7])
def test_a_northing_changes_no_z_value(shift):
    Y, O, X = data()
    found = z_values(plnkit.fit(Y, O=O, X=X + northing(shift)))
    np.testing.assert_allclose(found[1:], z_values(plain())[1:], rtol=1e-9)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(changes)
def test_units_shifts_and_order_change_no_z_value(change):
    fit, _ = refit(**change, mixture=np.eye(3))
    found = (np.sign(change["units"])[change["order"]])[:, None] * z_values(fit)
    found = found[np.argsort(change["order"])]
    np.testing.assert_allclose(found[1:], z_values(plain())[1:], rtol=5e-3, atol=0.02)


def test_coefficients_without_a_finite_estimate_whatever_the_units():
    """Taxon 0 is never seen on one side."""
    Y, _, X = data()
    Y, side = Y.copy(), X[:, 1] > 5
    Y[side, 0] = 0
    for shift, unit in ((0, 1), (5_092_000, 1), (1e7, 1), (5, 1e-9), (0, 1e9)):
        design = make_design(np.column_stack([X[:, [0, 2]], unit * (side + shift)]), "abc")
        infinite = find_infinite(Y, design)
        # Without a shift, the intercept is the other side's.
        assert infinite.tolist() == [[shift != 0, *[False] * 3], [False] * 4, [True, *[False] * 3]]
