"""Every level of the ladder is the same fit; what each compiles, and when."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jax import Array

from plnkit import load_oaks, model, reference
from plnkit.ladder import LEVELS, dataclass, named_tuple, pytree_class, scan
from plnkit.ladder.optimizer import ADAM, TUTORIAL

Data = tuple[Array, Array, Array]
COMPILED = "/jax/core/compile/backend_compile_duration"
# Programs compiled by the first call (at most: eager operations may have been compiled before)
# and by every later one with the same shapes.
COMPILATIONS = {
    "1 jitted step": (2, 0),
    "2 eager scan": (8, 1),
    "2 scan in jit": (1, 0),
    "3 NamedTuple": (1, 0),
    "3.5 dataclass": (2, 0),
    "4 pytree class": (2, 0),
}


@pytest.fixture(scope="module")
def oaks() -> Data:
    Y, O, X = (jnp.asarray(a) for a in load_oaks()[:3])
    return Y, O, X


@pytest.fixture(scope="module")
def compilations():
    """A list that grows by one at every compilation."""
    seen = []

    def listen(event: str, duration_secs: float, **_: str | int) -> None:
        if event == COMPILED:
            seen.append(duration_secs)

    jax.monitoring.register_event_duration_secs_listener(listen)
    yield seen
    jax.monitoring.unregister_event_duration_listener(listen)


@pytest.mark.slow
@pytest.mark.parametrize(
    "optimizer",
    [pytest.param(ADAM, id="adam"), pytest.param(TUTORIAL, id="tutorial")],
)
def test_all_levels_give_the_same_trace(oaks, optimizer):
    fits = {name: fit(*oaks, 30, optimizer) for name, fit in LEVELS.items()}
    parameters, trace = fits.pop("no JIT")
    assert trace.shape == (30,) and trace[-1] > trace[0] / 20 and trace[0] < -3e7
    for name, (others, values) in fits.items():
        # A step's sign decides early RAdam and Adam steps: rounding there moves a few entries.
        np.testing.assert_allclose(values, trace, rtol=2e-3, err_msg=name)
        np.testing.assert_allclose(values[:5], trace[:5], rtol=2e-6, err_msg=name)
        judged = [
            reference.elbo(q.B, q.M, np.exp(q.log_S), q.Omega, *oaks) for q in (parameters, others)
        ]
        np.testing.assert_allclose(*judged, rtol=2e-3, err_msg=name)


@pytest.mark.slow
def test_the_trace_is_the_elbo_before_each_step(oaks):
    parameters, trace = scan.fit(*oaks, 5)
    _, longer = scan.fit(*oaks, 6)
    B, M, log_S, Omega = parameters
    judged = reference.elbo(B, M, np.exp(log_S), Omega, *oaks)
    np.testing.assert_allclose(longer[5], judged, rtol=1e-6)
    np.testing.assert_allclose(trace, longer[:5], rtol=1e-6)


@pytest.mark.parametrize("name", COMPILATIONS)
@pytest.mark.slow
def test_compilations(oaks, compilations, name):
    counts = []
    # Fresh data of one shape, and a small one that no other test has compiled.
    for seed in (0, 1, 2):
        Y, O, X = jax.block_until_ready([a[:21] + seed for a in oaks])
        before = len(compilations)
        jax.block_until_ready(LEVELS[name](Y, O, X, 7))
        counts.append(len(compilations) - before)
    first, later = COMPILATIONS[name]
    assert 1 <= counts[0] <= first and counts[1:] == [later, later]


@pytest.mark.slow
def test_ahead_of_time(oaks: Data, compilations):
    compiled = scan.compile_fit(*oaks, 3)
    before = len(compilations)
    _, trace = compiled(*oaks)
    assert len(compilations) == before
    np.testing.assert_allclose(trace, scan.fit(*oaks, 3)[1], rtol=1e-6)
    with pytest.raises(TypeError, match="compiled"):
        compiled(oaks[0][:50], oaks[1][:50], oaks[2][:50])


@pytest.mark.slow
def test_inputs_are_left_alone():
    oaks = load_oaks()[:3]
    before = [a.copy() for a in oaks]
    for fit in LEVELS.values():
        fit(*oaks, 2)
    assert all((a == b).all() for a, b in zip(oaks, before, strict=True))


@pytest.mark.slow
def test_the_fits_climb(oaks: Data):
    """Judged in float64, 1000 iterations of the tutorial's optimizer pass its own wrong -35841."""
    B, M, log_S, Omega = scan.fit(*oaks, 1000, TUTORIAL)[0]
    assert reference.elbo(B, M, np.exp(log_S), Omega, *oaks, "stirling") > -33_000


@pytest.mark.slow
def test_pytree_class_survives_the_round_trip(oaks):
    pln, _ = pytree_class.PLN(*oaks).fit(3)
    leaves, structure = jax.tree.flatten(pln)
    again = jax.tree.unflatten(structure, leaves)
    for name in ("Y", "O", "X", "log_factorial", "log_det"):
        assert getattr(again, name) is getattr(pln, name)
    assert again.parameters is not None and again.optimizer is pln.optimizer
    assert not np.allclose(again.parameters.Omega, np.eye(114))
    jax.tree.unflatten(structure, [object()] * len(leaves))  # JAX puts placeholders in


@pytest.mark.slow
@pytest.mark.parametrize("module", [dataclass, pytree_class, named_tuple])
def test_levels_with_containers_vmap(module):
    r = np.random.default_rng(0)
    Y = r.poisson(3.0, (4, 10, 3)).astype(np.float32)
    O, X = np.zeros_like(Y), np.ones((4, 10, 1), np.float32)
    _, traces = jax.vmap(lambda *data: module.fit(*data, 5))(Y, O, X)
    alone = np.stack([module.fit(*data, 5)[1] for data in zip(Y, O, X, strict=True)])
    np.testing.assert_allclose(traces, alone, rtol=1e-5)


def test_a_static_optimizer_is_part_of_the_structure(oaks, compilations):
    other = optax.sgd(1e-6)
    Y, O, X = (a[:22] for a in oaks)
    pln = dataclass.build(Y, O, X, ADAM)
    assert jax.tree.structure(pln) != jax.tree.structure(dataclass.build(Y, O, X, other))
    assert model.Parameters(*pln.parameters).B.shape == (1, 114)
