"""Offsets computed from counts: totals and relative log expression."""

import re

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plnkit
from plnkit import DataError, DataWarning
from plnkit.offsets import FEW, SCHEMES, compute_offsets, make_scheme

R = np.random.default_rng(0)
EFFORT = R.uniform(0.2, 5, 20)
ABUNDANCE = R.uniform(20, 400, 30)
COUNTS = R.poisson(np.outer(EFFORT, ABUNDANCE)) + 1.0
NAMES = tuple(f"leaf{i}" for i in range(20))


def offsets(name, Y=COUNTS, weights=None):
    return compute_offsets(Y, make_scheme(name, Y, weights), NAMES)


@pytest.mark.parametrize("name", SCHEMES)
def test_they_follow_the_effort(name):
    found = offsets(name)
    assert found.shape == (20, 1)
    difference = found[:, 0] - np.log(EFFORT)
    np.testing.assert_allclose(difference, difference.mean(), atol=0.1)


def test_totals_are_those_of_plnmodels_and_pyplnmodels():
    np.testing.assert_allclose(np.exp(offsets("total")[:, 0]), COUNTS.sum(axis=1))
    np.testing.assert_array_equal(offsets("TSS"), offsets("total"))


def test_rle_is_the_median_of_ratios():
    """Equation 5 of Anders and Huber (2010)."""
    Y = COUNTS.copy()
    Y[3, :7] = 0  # taxa that are not in every sample are left out
    ratios = Y[:, 7:] / Y[:, 7:].prod(axis=0) ** (1 / 20)
    np.testing.assert_allclose(np.exp(offsets("RLE", Y)[:, 0]), np.median(ratios, axis=1))


def test_a_taxon_that_blooms_moves_totals_and_not_rle():
    Y = COUNTS.copy()
    Y[0, 0] *= 1000
    assert offsets("total", Y)[0] - offsets("total")[0] > 1
    assert abs(offsets("RLE", Y)[0] - offsets("RLE")[0]) < 0.02


@pytest.mark.parametrize("name", SCHEMES)
@given(seed=st.integers(0, 99))
def test_the_order_of_samples_changes_nothing(name, seed):
    order = np.random.default_rng(seed).permutation(20)
    np.testing.assert_allclose(offsets(name, COUNTS[order]), offsets(name)[order])


def test_a_weight_is_a_number_of_samples():
    weights = np.arange(20) % 3
    Y = COUNTS.copy()
    Y[0, :20] = 0  # of weight 0: its zeros are nobody's
    weighted = make_scheme("RLE", Y, weights).reference
    repeated = make_scheme("RLE", np.repeat(Y, weights, axis=0)).reference
    assert weighted is not None and repeated is not None and np.isfinite(weighted).all()
    np.testing.assert_allclose(weighted, repeated)


def test_new_samples_are_measured_by_those_of_the_fit():
    scheme = make_scheme("RLE", COUNTS)
    np.testing.assert_allclose(compute_offsets(COUNTS[4:6], scheme, NAMES), offsets("RLE")[4:6])


def test_what_cannot_be_computed():
    with pytest.raises(
        DataError, match="'tss' is no scheme; give numbers, or one of total, TSS, R"
    ):
        make_scheme("tss", COUNTS)
    Y = COUNTS.copy()
    Y[[3, 5]] = 0
    with pytest.raises(DataError, match=re.escape("sample leaf3 (and 1 more) has only zeros")):
        offsets("total", Y)
    with pytest.raises(DataError, match="no taxon is in all samples, and RLE needs some"):
        offsets("RLE", Y)
    scheme = make_scheme("RLE", COUNTS)
    with pytest.raises(DataError, match=r"leaf0 \(and 1 more\) has none of the half of the taxa"):
        compute_offsets(np.eye(2, 30), scheme, NAMES)
    Y = COUNTS.copy()
    Y[2, 2] = np.nan
    with pytest.raises(DataError, match="sample leaf2 has counts that are not known") as error:
        offsets("total", Y)
    assert error.value.row == 2


def test_few_shared_taxa_are_told():
    Y = COUNTS.copy()
    Y[1, FEW - 1 :] = 0
    with pytest.warns(DataWarning, match=f"RLE rests on the {FEW - 1} of 30 taxa that are in all"):
        make_scheme("RLE", Y)


def test_a_fit_computes_them_and_infers_with_them():
    """The same as if they were given; new samples get theirs, a prediction must be told."""
    drawn = plnkit.simulate(jax.random.key(4), 40, 3, 2)
    Y = drawn.Y + 1  # so that taxa are in all samples
    asked = plnkit.fit(Y, O="RLE", X=drawn.X)
    given_ = plnkit.fit(Y, O=offsets("RLE", Y), X=drawn.X)
    np.testing.assert_allclose(asked.elbo, given_.elbo, rtol=1e-6)
    X = drawn.X[:2]
    one, other = asked.infer(Y[:2], X=X), given_.infer(Y[:2], O=offsets("RLE", Y)[:2], X=X)
    np.testing.assert_allclose(one.expected, other.expected, rtol=1e-3)
    with pytest.raises(
        DataError, match=re.escape("computed from counts (RLE), of which a predict")
    ):
        asked.predict(X=X)
    assert asked.predict(O=[0.0, 0.0], X=X).shape == (2, 3)
