"""What the lessons say of JAX, run: on every jax that the kit supports."""

from functools import partial

import jax
import jax.numpy as jnp
import pytest

from plnkit.compile_counts import compile_counts


def compilations(function, *arguments, **keywords) -> int:
    """How many programs a call compiles."""
    with compile_counts() as counted:
        jax.block_until_ready(function(*arguments, **keywords))
    return counted["compilations"]


@pytest.fixture
def power_sums():
    @partial(jax.jit, static_argnames="power")
    def power_sums(x, power):
        return jnp.sum(x**power, axis=0)

    return power_sums


def test_ahead_of_time_fills_the_cache_of_the_jitted_function(power_sums):
    x, few = jnp.ones((6, 4)), jnp.ones((3, 4))
    squares = power_sums.lower(jax.ShapeDtypeStruct(x.shape, x.dtype), 2).compile()
    assert compilations(power_sums, x, 2) == 0
    assert compilations(squares, x) == 0
    assert compilations(power_sums, x, power=2) == 1
    assert compilations(power_sums, few, 2) == 1
    assert compilations(jax.jit(lambda x: power_sums(x, 2)), x) == 1
    with pytest.raises(TypeError):
        squares(few)


def test_ahead_of_time_takes_compiler_options_and_ships(power_sums):
    x = jnp.arange(6.0).reshape(3, 2)
    lowered = power_sums.lower(x, 2)
    # This option exists on every platform and changes no result.
    compiled = lowered.compile(compiler_options={"xla_embed_ir_in_executable": True})
    shipped = jax.export.deserialize(jax.export.export(power_sums)(x, 2).serialize())
    assert jnp.array_equal(compiled(x), shipped.call(x))


def test_cost_analysis_counts_a_loop_once():
    def flops(steps):
        loop = jax.jit(lambda x: jax.lax.scan(lambda x, _: (x * 1.5 + 1, None), x, length=steps)[0])
        cost = loop.lower(jnp.ones(64)).compile().cost_analysis()
        return (cost or {}).get("flops", float("nan"))

    assert abs(flops(20) - flops(40)) < 64
