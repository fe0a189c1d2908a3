"""What lesson `data_sizes` says of JAX, run."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from plnkit import load_oaks
from plnkit.compile_counts import compile_counts

FEW = jnp.array([3.0, 0.0, 7.0, 1.0])


def test_a_mask_that_numpy_makes_while_tracing_is_known():
    assert jax.jit(lambda x: x[np.arange(4) > 1])(FEW).tolist() == [7, 1]
    assert jax.jit(lambda x: x[jnp.argsort(x)])(FEW).tolist() == [0, 1, 3, 7]
    for mask in (lambda x: x > 2, lambda _: jnp.arange(4) > 1):
        with pytest.raises(jax.errors.NonConcreteBooleanIndexError):
            jax.jit(lambda x, mask=mask: x[mask(x)])(FEW)


@pytest.mark.parametrize(
    "function",
    [jnp.nonzero, jnp.unique, lambda x: jnp.repeat(x, x.astype(int)), lambda x: jnp.where(x > 0)],
)
def test_a_length_that_the_values_decide_is_refused(function):
    function(FEW)
    with pytest.raises(jax.errors.ConcretizationTypeError):
        jax.jit(function)(FEW)


def test_what_nothing_sums_up_to():
    nothing = jnp.zeros(4, bool)
    assert FEW.sum(where=nothing) == 0
    assert jnp.isnan(FEW.mean(where=nothing))
    assert FEW.min(where=nothing, initial=jnp.inf) == jnp.inf


def test_nonzero_fills_with_an_index_and_drops_silently():
    assert jnp.nonzero(FEW, size=5)[0].tolist() == [0, 2, 3, 0, 0]
    assert jnp.nonzero(FEW, size=2)[0].tolist() == [0, 2]


def test_selecting_outside_compiles_for_each_number_of_rows():
    oaks = load_oaks()
    tree = oaks.leaves["tree"]
    with compile_counts() as counted:
        mean = jax.jit(lambda rows: rows.mean(axis=0))
        for kind in np.unique(tree):
            mean(oaks.Y[tree == kind])
    assert counted["compilations"] == len({(tree == kind).sum() for kind in np.unique(tree)}) == 2
