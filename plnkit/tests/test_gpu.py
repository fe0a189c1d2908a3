"""The model on a GPU gives what it gives on a CPU. Pending without one."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import plnkit
from plnkit.benchmark import BASELINE, ladder
from plnkit.ladder import LEVELS
from plnkit.machine import find_device

pytestmark = [
    pytest.mark.gpu,
    # torch's own
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
    ),
]


@pytest.fixture(scope="module")
def data():
    return tuple(np.asarray(a) for a in plnkit.load_oaks("tree")[:3])


@pytest.mark.parametrize("level", [name for name in LEVELS if name != BASELINE])
def test_levels_climb_as_on_a_cpu(data, level):
    traces = []
    for kind in ("cpu", "gpu"):
        with jax.default_device(find_device(kind)):
            traces.append(np.asarray(LEVELS[level](*data, 50)[1]))
    np.testing.assert_allclose(traces[1], traces[0], rtol=1e-4)


def test_solver_reaches_the_same_optimum(data):
    elbos = []
    for kind in ("cpu", "gpu"):
        with jax.default_device(find_device(kind)):
            elbos.append(plnkit.fit(data[0], O=data[1], X=data[2]).elbo_stirling)
    assert elbos[1] == pytest.approx(elbos[0], abs=0.05)
    assert elbos[1] == pytest.approx(-30812.34, abs=0.05)


def test_the_ladder_is_measured_there():
    found = ladder(find_device("gpu"), replicas=1, n_iterations=20, repeats=1)
    assert found["environment"]["driver"]
    assert {row["compilations_later"] for name, row in found["rows"].items() if "jit" in name} <= {
        0
    }
