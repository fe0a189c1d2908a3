"""What is marked `gpu` waits for one; for the conftest of every folder of tests."""

import pytest

import plnkit  # noqa: F401  (sets the compiler flag before a test starts JAX)
from plnkit.machine import find_device


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Report a test that lacks its GPU as pending, never as passed."""
    if item.get_closest_marker("gpu") is None:
        return
    try:
        find_device("gpu")
    except RuntimeError:
        pytest.skip("pending: needs a GPU, and jax sees none here")
