"""What lesson `many_devices` says of JAX, in a process with four CPU devices."""

import subprocess
import sys

import pytest

BEGIN = """
from functools import partial
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from plnkit.compile_counts import compile_counts

jax.config.update("jax_num_cpu_devices", 4)
mesh = jax.make_mesh((4,), ("sites",), (AxisType.Auto,))
rows = NamedSharding(mesh, P("sites"))
Y = jax.device_put(np.arange(24, dtype=np.float32).reshape(8, 3), rows)

def fails(error, words, function, *args):
    try:
        function(*args)
    except error as raised:
        assert words in str(raised), raised
    else:
        raise AssertionError(f"no {error}")
"""


def run(source: str) -> None:
    command = [sys.executable, "-c", BEGIN + source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
def test_where_arrays_are() -> None:
    run("""
assert [part.data.shape for part in Y.addressable_shards] == [(2, 3)] * 4
fails(ValueError, "4", jax.device_put, np.ones((7, 3)), rows)
config = lambda: jax.config.update("jax_num_cpu_devices", 2)
fails(RuntimeError, "jax_num_cpu_devices config should be updated before backends", config)

total = jax.jit(lambda Y: Y.sum(axis=0))
assert total(Y).sharding.is_fully_replicated
assert total.lower(Y).compile().as_text().count(" all-reduce(") == 1
""")


@pytest.mark.slow
def test_a_step_compiles_again_when_its_result_is_elsewhere() -> None:
    run("""
def towards(M, Y):
    return M + 0.1 * (jnp.log1p(Y) - M)

def count(function, M):
    jax.clear_caches()
    compiled = []
    for _ in range(3):
        with compile_counts() as counted:
            M = function(M, Y)
        compiled.append(counted["compilations"] > 0)
    assert M.sharding.is_equivalent_to(rows, 2)
    return compiled

one = jnp.zeros(Y.shape)
for function in (jax.jit(towards), jax.jit(towards, out_shardings=rows)):
    assert count(function, one) == [True, True, False]
    assert count(function, jax.device_put(one, rows)) == [True, False, False]
""")


@pytest.mark.slow
def test_what_the_check_of_shard_map_does() -> None:
    run("""
specs = dict(mesh=mesh, in_specs=P("sites"), out_specs=P())
own = lambda Y: Y.sum()
fails(ValueError, "passing the check_vma=False", jax.shard_map(own, **specs), Y)
assert jax.shard_map(own, **specs, check_vma=False)(Y) == Y[:2].sum()
assert jax.shard_map(lambda Y: jax.lax.psum(Y.sum(), "sites"), **specs)(Y) == Y.sum()

def gradient(b, Y):
    return jax.grad(lambda b: (b * Y).sum())(b)

def summed(b, Y):
    return jax.grad(lambda b: jax.lax.psum((b * Y).sum(), "sites"))(b)

specs["in_specs"] = (P(), P("sites"))
right, b = Y.sum(), jnp.ones(())
assert jax.shard_map(gradient, **specs)(b, Y) == right
assert jax.shard_map(gradient, **specs, check_vma=False)(b, Y) == Y[:2].sum()
assert jax.shard_map(summed, **specs)(b, Y) == right
""")


@pytest.mark.slow
def test_explicit_shardings_are_types() -> None:
    run("""
explicit = jax.make_mesh((4,), ("sites",))
assert explicit.axis_types == (AxisType.Explicit,)
Y = jax.device_put(np.ones((8, 3), np.float32), NamedSharding(explicit, P("sites")))
assert str(jax.typeof(Y)) == "float32[8@sites,3]"
fails(Exception, "out_sharding", lambda: Y.T @ Y)
product = jnp.matmul(Y.T, Y, out_sharding=NamedSharding(explicit, P()))
assert product.sharding.is_fully_replicated
""")
