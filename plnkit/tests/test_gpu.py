"""What needs a GPU: the model and the ladder on it. Pending without one."""

import jax
import numpy as np
import pytest

import plnkit
from plnkit.ladder import LEVELS
from plnkit.machine import environment, find_device
from plnkit.tests.gpu import KIND

pytestmark = pytest.mark.gpu


def climb(level, kind):
    with jax.default_device(find_device(kind)):
        return np.asarray(LEVELS[level](*plnkit.load_oaks()[:3], 50)[1])


@pytest.fixture(scope="module")
def trace():
    """The ELBOs of a level on a CPU, where other tests compare the levels."""
    return climb("2 scan in jit", "cpu")


@pytest.mark.parametrize("level", LEVELS)
def test_levels_climb_as_on_a_cpu(trace, level):
    np.testing.assert_allclose(climb(level, KIND), trace, rtol=1e-4)


def test_the_solver_reaches_the_same_optimum():
    Y, O, X = plnkit.load_oaks("tree")[:3]
    elbos = []
    for kind in ("cpu", KIND):
        with jax.default_device(find_device(kind)):
            elbos.append(plnkit.fit(Y, O=O, X=X).elbo_stirling)
    assert elbos[1] == pytest.approx(elbos[0], abs=0.05)
    assert elbos[1] == pytest.approx(-30812.34, abs=0.05)


def test_a_gpu_is_named_with_its_driver():
    assert bool(environment(find_device(KIND), "")["driver"]) == (KIND == "gpu")
