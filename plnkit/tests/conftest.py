"""Hooks and fixtures of these tests."""

import numpy as np
import pytest

import plnkit
from plnkit.tests.gpu import pytest_runtest_setup as pytest_runtest_setup


@pytest.fixture(scope="session")
def small_fit() -> plnkit.Fit:
    """A fit of 20 samples and 3 taxa."""
    return plnkit.fit(np.arange(60).reshape(20, 3) % 7 + 1)
