"""Against the peers themselves: the same ELBO at the same parameters, and a race that is won."""

from importlib.util import find_spec

import numpy as np
import pytest
from numpy.typing import NDArray

import plnkit
from plnkit import peers, race, reference
from plnkit.tests.needs import reason_without

pytestmark = [
    pytest.mark.skipif(find_spec("torch") is None, reason=reason_without("torch")),
    # torch's and pyPLNmodels' own
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
    ),
]


Data = tuple[NDArray, NDArray, NDArray]


@pytest.fixture(scope="module")
def data() -> Data:
    return plnkit.load_oaks("tree")[:3]


@pytest.mark.gate
def test_elbo_is_pyplnmodels(data: Data):
    """To float64 rounding, at parameters of no special kind, its Stirling form included."""
    import torch
    from pyPLNmodels.calculations.elbos import profiled_elbo_pln

    Y, O, X = (torch.as_tensor(a).double() for a in data)
    r = np.random.default_rng(0)
    M, S = r.normal(size=Y.shape), np.exp(r.normal(-1, 0.5, Y.shape))
    theirs = profiled_elbo_pln(
        endog=Y,
        exog=X,
        offsets=O,
        latent_mean=torch.as_tensor(M),
        latent_sqrt_variance=torch.as_tensor(S),
    ).item()
    np.testing.assert_allclose(reference.profiled_elbo(M, S, *data, "stirling"), theirs, rtol=1e-12)
    constant = reference.log_factorials(data[0], "stirling") - reference.log_factorials(data[0])
    np.testing.assert_allclose(reference.profiled_elbo(M, S, *data), theirs + constant, rtol=1e-12)


@pytest.mark.slow
def test_torch_ladder_is_the_ladder(data):
    from plnkit.ladder import scan

    B, M, S, Omega = peers.torch_ladder(data, 10, "cpu", False)
    q, _ = scan.fit(*data, 10)
    ours = reference.elbo(q.B, q.M, np.exp(q.log_S), q.Omega, *data)
    np.testing.assert_allclose(reference.elbo(B, M, S, Omega, *data), ours, rtol=1e-3)


@pytest.mark.slow
def test_we_pass_pyplnmodels_in_few_iterations(data):
    target = peers.judge(peers.pyplnmodels(*data), data)
    assert -30_825 < target < -30_812
    iterations = race.iterations_to(target, data)
    assert iterations < 40
    assert race.fit_data(data, iterations).elbo_stirling >= target


@pytest.mark.slow
def test_rprop_in_torch_ends_where_pyplnmodels_does(data: Data):
    bare = peers.judge(peers.torch_rprop(*data, 400, False), data)
    np.testing.assert_allclose(bare, peers.judge(peers.pyplnmodels(*data), data), atol=5)


@pytest.mark.slow
def test_a_target_out_of_reach(data):
    with pytest.raises(RuntimeError, match="below the target -30000"):
        race.iterations_to(-30_000.0, data)


def test_table():
    one = {
        "elbo": {race.OURS: -1.0, race.TO_THEIRS: -1.9, race.PYPLN: -2.0},
        "warm_seconds": {race.OURS: 0.02, race.TO_THEIRS: 0.01, race.PYPLN: 0.5},
        "cold_ratio": 2.5,
    }
    short = {
        "elbo": {race.OURS: -3.0, race.PYPLN: -2.0},
        "warm_seconds": {race.OURS: 0.02, race.PYPLN: 0.5},
    }
    races = {"oaks x1, constant": one, "few zeros": short}
    header, row, other = race.table({"races": races})
    contestants = ("plnkit", "plnkit, to pyPLNmodels' ELBO", "pyPLNmodels")
    assert header == ("data", *contestants, "faster", "to their ELBO", "cold")
    seconds = ("0.020 s (-1.00)", "0.010 s (-1.90)", "0.500 s (-2.00)")
    assert row == ("oaks x1, constant", *seconds, "25.0x", "50.0x", "2.5x")
    seconds = ("0.020 s (-3.00)", "", "0.500 s (-2.00)")
    assert other == ("few zeros", *seconds, "25.0x", "not reached", "")


@pytest.mark.slow
def test_a_race():
    """One turn of a small one, with all that is in the file of figures."""
    result = race.race([1], [None], ["many zeros"], repeats=1)
    oaks, zeros = result["races"].values()
    assert list(oaks["elbo"])[:3] == [race.OURS, race.TO_THEIRS, race.PYPLN]
    assert oaks["elbo"][race.OURS] >= oaks["elbo"][race.TO_THEIRS] >= oaks["elbo"][race.PYPLN]
    assert oaks["iterations_to_theirs"] < oaks["iterations"] and oaks["cold_ratio"] > 1
    assert zeros["zeros"] > 0.6 and "PyTorch eager" not in zeros["elbo"]
    assert oaks["ratio"][race.PYPLN] > 5 and len(oaks["warm_seconds_all"][race.OURS]) == 1
