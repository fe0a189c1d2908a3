"""The model on a GPU gives what it gives on a CPU. Pending without one."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import plnkit
from plnkit.benchmark import SOLVER, ladder
from plnkit.ladder import LEVELS
from plnkit.machine import find_device
from plnkit.tests.gpu import KIND

ITERATIONS = 50

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def measured():
    """The ladder: every level is compiled once for all of these tests."""
    return ladder(find_device(KIND), n_iterations=ITERATIONS, repeats=1, torch=False)


@pytest.fixture(scope="module")
def trace():
    """The ELBOs on a CPU, where other tests compare the levels."""
    with jax.default_device(find_device("cpu")):
        return np.asarray(LEVELS["2 scan in jit"](*plnkit.load_oaks()[:3], ITERATIONS)[1])


@pytest.mark.parametrize("level", LEVELS)
def test_levels_climb_as_on_a_cpu(measured, trace, level):
    np.testing.assert_allclose(measured["rows"][level]["trace"], trace, rtol=1e-4)


def test_the_solver_reaches_the_same_optimum(measured):
    Y, O, X = plnkit.load_oaks("tree")[:3]
    elbos = []
    for kind in ("cpu", KIND):
        with jax.default_device(find_device(kind)):
            elbos.append(plnkit.fit(Y, O=O, X=X).elbo_stirling)
    assert elbos[1] == pytest.approx(elbos[0], abs=0.05)
    assert elbos[1] == pytest.approx(-30812.34, abs=0.05)
    rows = measured["rows"]
    assert rows[SOLVER]["elbo"] > max(rows[level]["elbo"] for level in LEVELS)


def test_the_ladder_is_measured_there(measured):
    assert bool(measured["environment"]["driver"]) == (KIND == "gpu")
    assert set(measured["rows"]) == {*LEVELS, SOLVER}
    jitted = {name: row for name, row in measured["rows"].items() if "jit" in name}
    assert jitted and not any(row["compilations_later"] for row in jitted.values())
