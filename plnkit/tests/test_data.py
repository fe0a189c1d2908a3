import importlib.metadata
import subprocess
import sys

import jax
import numpy as np
import pytest

from plnkit import data, load_oaks, simulate
from plnkit.tests.needs import reason_without


def test_oaks():
    oaks = load_oaks()
    assert oaks.Y.shape == oaks.O.shape == (116, 114)
    assert {a.dtype for a in oaks[:3]} == {np.dtype("float32")}
    assert oaks.Y.sum() == 319591
    # Logged once: totals lie between 73 and 11706 reads.
    np.testing.assert_allclose([oaks.O.min(), oaks.O.max()], np.log([73, 11706]), rtol=1e-6)
    assert oaks.taxa[:2] == ("b_OTU_1045", "b_OTU_109") and len(oaks.taxa) == 114
    assert set(oaks.leaves["tree"]) == {"susceptible", "intermediate", "resistant"}
    assert all(len(column) == 116 for column in oaks.leaves.values())
    assert (oaks.X == 1).all() and oaks.X.shape == (116, 1)


def test_oaks_covariates():
    tree = load_oaks("tree").X
    assert tree.shape == (116, 3) and np.linalg.matrix_rank(tree) == 3
    assert tree.sum(axis=0).tolist() == [116, 39, 39]
    distance = load_oaks("distTOground").X
    assert distance.dtype == np.float32 and distance[0].tolist() == [1, 155.5]
    with pytest.raises(KeyError, match="height"):
        load_oaks("height")


@pytest.mark.slow
def test_loading_imports_neither_torch_nor_pyplnmodels_and_starts_no_backend():
    code = (
        "import sys, plnkit; plnkit.load_oaks();"
        "from plnkit.compiler_guard import _backend_started;"
        "print([m for m in ('torch', 'pyPLNmodels', 'pandas') if m in sys.modules],"
        " _backend_started())"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.strip() == "[] False"


@pytest.mark.parametrize("name", ["counts.csv", "offsets.csv", "covariates.csv"])
def test_the_tables_are_pyplnmodels_own(name):
    try:
        files = importlib.metadata.files("pyPLNmodels") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(reason_without("pyPLNmodels"))
    (theirs,) = (f for f in files if f.as_posix().endswith(f"data/oaks/{name}"))
    assert (data._OAKS / name).read_bytes() == theirs.read_binary()


@pytest.mark.parametrize("d", [0, 1, 3])
@pytest.mark.slow
def test_simulate(d):
    drawn = simulate(jax.random.key(0), 400, 6, d)
    assert [a.shape for a in drawn] == [(400, 6), (400, 6), (400, d), (d, 6), (6, 6)]
    assert {a.dtype for a in drawn} == {np.dtype("float32")}
    assert (drawn.Y >= 0).all() and (drawn.Y % 1 == 0).all()
    again = simulate(jax.random.key(0), 400, 6, d)
    assert (again.Y == drawn.Y).all()
    assert (simulate(jax.random.key(1), 400, 6, d).Y != drawn.Y).any()


@pytest.mark.slow
def test_simulated_counts_have_the_models_mean():
    drawn = simulate(jax.random.key(2), 20_000, 3, 0)
    # E exp(Z) = exp(1/2) for unit variance.
    np.testing.assert_allclose((drawn.Y / np.exp(drawn.O)).mean(axis=0), np.exp(0.5), rtol=0.1)
