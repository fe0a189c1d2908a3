"""Covariates in an orthonormal basis: whatever their units, shifts, order and mixtures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plnkit import DataError, DataWarning
from plnkit.design import make_design

N = 30


def draw(seed: int, d: int) -> np.ndarray:
    """An intercept and d - 1 covariates."""
    return np.column_stack([np.ones(N), np.random.default_rng(seed).normal(size=(N, d - 1))])


def name(d: int) -> list[str]:
    return [f"x{j}" for j in range(d)]


@settings(max_examples=50, deadline=None)
@given(data=st.data(), seed=st.integers(0, 99), d=st.integers(1, 5))
def test_units_shifts_order_and_mixtures_change_no_fitted_value(data, seed, d):
    X = draw(seed, d)
    units = data.draw(st.lists(st.sampled_from([1e-9, 0.3, 1.0, 1e6]), min_size=d, max_size=d))
    shifts = data.draw(st.lists(st.sampled_from([0.0, -2.0, 5e6]), min_size=d, max_size=d))
    mixture = np.eye(d)
    mixture[1:, 1:] = np.random.default_rng(seed).normal(size=(d - 1, d - 1)) + 3 * np.eye(d - 1)
    change = mixture * units
    change[0, 1:] += np.array(shifts[1:]) * units[1:]
    change = change[:, data.draw(st.permutations(range(d)))]
    plain, changed = make_design(X, name(d)), make_design(X @ change, name(d))
    for design in (plain, changed):
        np.testing.assert_allclose(design.Q.T @ design.Q, np.eye(d), atol=1e-13)
        size = np.abs(design.X).max(axis=0)
        np.testing.assert_allclose(design.Q @ design.R / size, design.X / size, atol=1e-13)
    M = np.random.default_rng(1).normal(size=(N, 2))
    fitted = plain.Q @ (plain.Q.T @ M)
    # The shifted columns themselves are rounded, at 1e-16 of 5e6.
    np.testing.assert_allclose(changed.Q @ (changed.Q.T @ M), fitted, atol=1e-7)
    B, B_changed = (one.coefficients(one.Q.T @ M) for one in (plain, changed))
    back = change @ B_changed
    np.testing.assert_allclose(back[1:], B[1:], atol=1e-7)
    np.testing.assert_allclose(back[:1], B[:1], atol=1e-7 * (1 + np.abs(change[0]).max()))


@pytest.mark.parametrize("shift", [0.0, 1e5, 5_092_000.0, 1e7, 1e9])
def test_a_northing_keeps_its_metres(shift):
    metres = np.arange(N) / 8  # exact beside any of these shifts
    design = make_design(np.column_stack([np.ones(N), metres + shift]), ["one", "northing"])
    B = design.coefficients(design.Q.T @ (2.0 - 3.0 * metres))
    np.testing.assert_allclose(B, [2 + 3 * shift, -3], rtol=1e-13)
    plain = make_design(np.column_stack([np.ones(N), metres]), ["one", "metres"])
    np.testing.assert_array_equal(design.Q, plain.Q)


def test_an_intercept_comes_first_and_stands_alone():
    design = make_design(draw(0, 3), name(3))
    np.testing.assert_allclose(design.Q[:, 0], N**-0.5)
    np.testing.assert_array_equal(np.tril(design.R, -1), 0)
    assert (np.diagonal(design.R) > 0).all()


def test_coefficients_of_many_variations():
    """As influences are, (d, p, n)."""
    design = make_design(draw(0, 3), name(3))
    B_Q = np.random.default_rng(0).normal(size=(3, 4, 5))
    B = design.coefficients(B_Q)
    fitted, wanted = np.tensordot(design.X, B, 1), np.tensordot(design.Q, B_Q, 1)
    np.testing.assert_allclose(fitted, wanted, atol=1e-13)


LEVELS = np.eye(3)[np.arange(N) % 3]
WIDTH = np.linspace(1.0, 4.0, N) ** 2
ONE = np.ones(N)


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"width": WIDTH},
        {"five": 5 * ONE},
        {"a": LEVELS[:, 0], "b": LEVELS[:, 1], "c": LEVELS[:, 2]},
        {"a": LEVELS[:, 0], "b": LEVELS[:, 1], "c": LEVELS[:, 2], "north": WIDTH + 5e6},
        {"near": WIDTH + 5e6, "far": WIDTH + 5e6 + 7},  # their difference is a constant
        {"metres": WIDTH, "one": ONE, "nanometres of others": 1e-9 * WIDTH**2},
        {"huge": 1e200 * WIDTH, "tiny": 1e-200 * WIDTH**2, "one": ONE},
    ],
)
def test_full_rank_whatever_the_units(columns):
    X = np.column_stack([np.ones((N, 0)), *columns.values()])
    design = make_design(X, list(columns))
    d = len(columns)
    np.testing.assert_allclose(design.Q.T @ design.Q, np.eye(d), atol=1e-13)
    B_Q = np.ones((d, 1))
    B = design.coefficients(B_Q)
    digits = 1e-14 * (1 + np.abs(X) @ np.abs(B)).max()  # which X @ B has in float64
    np.testing.assert_allclose(X @ B, design.Q @ B_Q, atol=digits)


NORTH = WIDTH + 5_092_000
COLLINEAR = {
    "depth = 1 x intercept + 2 x width": {"intercept": ONE, "width": WIDTH, "depth": 2 * WIDTH + 1},
    "intercept = -2 x width + 1 x depth": {
        "width": WIDTH,
        "depth": 2 * WIDTH + 1,
        "intercept": ONE,
    },
    "c = 1 x one - 1 x a - 1 x b": {"one": ONE, **dict(zip("abc", LEVELS.T, strict=True))},
    "one = 1 x a + 1 x b + 1 x c": {**dict(zip("abc", LEVELS.T, strict=True)), "one": ONE},
    "mixed = 2 x a + 4 x c": {
        **dict(zip("abc", LEVELS.T, strict=True)),
        "mixed": LEVELS @ [2.0, 0, 4],
    },
    "five = 5 x one": {"one": ONE, "five": 5 * ONE},
    "none = 0": {"one": ONE, "none": 0 * ONE},
    "nothing = 0": {"width": WIDTH, "nothing": 0 * ONE},
    "b = 2e-12 x a": {"a": WIDTH, "b": 2e-12 * WIDTH},
    "feet = 3.28084 x north": {
        "one": ONE,
        "north": NORTH,
        "feet": 3.28084 * NORTH,
    },
    "third = 0.3333333 x north": {"one": ONE, "north": NORTH, "third": NORTH / 3},
}


@pytest.mark.parametrize("equation", COLLINEAR)
def test_collinear_columns_are_told_as_an_equation(equation):
    columns = COLLINEAR[equation]
    with pytest.raises(DataError) as caught:
        make_design(np.column_stack(list(columns.values())), list(columns))
    assert str(caught.value).startswith(f"covariates: {equation} in every sample: one column is a")
    assert "Leave one of them out." in str(caught.value)


def test_columns_that_are_nearly_collinear_get_a_warning():
    X = np.column_stack([ONE, WIDTH, 3 * WIDTH + 1e-7 * np.sin(np.arange(N))])
    message = r"but for 5e-09 of its spread, depth = 3 x width in every sample\. Coeff"
    with pytest.warns(DataWarning, match=message):
        design = make_design(X, ["one", "width", "depth"])
    np.testing.assert_allclose(design.Q.T @ design.Q, np.eye(3), atol=1e-13)


def test_numbers_that_are_too_small():
    with pytest.raises(DataError, match="covariates: the numbers in depth are too small; change"):
        make_design(np.column_stack([np.ones(3), [1e-310, 2e-310, 4e-310]]), ["one", "depth"])
