"""What is marked `gpu` waits for one: it is reported as pending, never as passed."""

import jax
import pytest

import plnkit  # noqa: F401  (sets the compiler flag before a test starts JAX)


def pytest_runtest_setup(item):
    if item.get_closest_marker("gpu") is None:
        return
    try:
        jax.devices("gpu")
    except RuntimeError:
        pytest.skip("pending: needs a GPU, and jax sees none here")
