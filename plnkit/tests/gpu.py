"""What is marked `gpu` waits for one; for the conftest of every folder of tests.

With `GPU_TESTS_ON=cpu` in the environment, the CPU stands in: the tests run, so that they do not
fail for reasons of their own when there is a GPU at last. What only a GPU can show is then not
asserted.
"""

import os

import pytest

import plnkit  # noqa: F401  (sets the compiler flag before a test starts JAX)
from plnkit.machine import find_device

KIND = os.environ.get("GPU_TESTS_ON", "gpu")
"""Of the device that these tests run on, as `plnkit.machine.find_device` takes it."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Report a test that lacks its GPU as pending, never as passed."""
    if item.get_closest_marker("gpu") is None:
        return
    try:
        find_device(KIND)
    except RuntimeError:
        pytest.skip("pending: needs a GPU, and jax sees none here")
