"""When two fits of the lesson pln_numerics may be of the same function."""

from __future__ import annotations

import numpy as np
import pytest

import plnkit
from autograder.rubrics.pln_numerics import same_fit
from plnkit import reference

RARE = 7
"""A taxon that none of the samples has."""


@pytest.fixture(scope="module")
def data():
    oaks = plnkit.load_oaks()
    Y = oaks.Y[:20, ::10].copy()
    Y[:, RARE] = 0
    return Y, oaks.O[:20, ::10], oaks.X[:20], 400


def fitted(data, **changes):
    """A fit after many steps: whatever B has for a taxon without counts, the ELBO is flat there."""
    Y, O, X, _ = data
    B = changes.get("B", np.linalg.lstsq(X, np.log1p(Y) - O, rcond=None)[0])
    if "B" not in changes:
        B[:, RARE] = -40
    S = changes.get("S", np.full_like(Y, 0.5))
    M, Omega = np.zeros_like(Y), np.eye(Y.shape[1], dtype=np.float32)
    parts = [B, M, S, Omega]
    parts.append(reference.elbo(B, M, S, Omega, Y, O, X))
    return [np.asarray(part, np.float32) for part in parts]


def test_fits_that_end_apart_where_the_elbo_is_flat(data):
    fit = fitted(data)
    B = fit[0].copy()
    B[:, RARE] = -80
    assert same_fit(data, fitted(data, B=B), fit)


def test_another_fit(data):
    fit = fitted(data)
    assert not same_fit(data, fitted(data, S=fit[2] * 1.1), fit)
    assert not same_fit(data, [*fit[:4], fit[4] * np.float32(1.001)], fit)
    assert not same_fit(data, fit[:4], fit[:4])
    assert not same_fit(data, [fit[0] * np.nan, *fit[1:]], fit)
