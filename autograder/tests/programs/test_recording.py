"""What JAX is asked to run is recorded; what is computed at compile time is no part of it."""

import jax
import jax.numpy as jnp

from autograder.programs.jax_private import recording_operations


@jax.custom_jvp
def doubled(x):
    return 2 * x


doubled.defjvp(lambda primals, tangents: (doubled(primals[0]), 2 * tangents[0]))


def test_operations_are_recorded_but_not_those_at_compile_time():
    x, found = jnp.ones(3), []
    with recording_operations(lambda primitive, *_: found.append(primitive.name)):
        doubled(jax.jit(jnp.sin)(x))
        with jax.ensure_compile_time_eval():
            doubled(jax.jit(jnp.cos)(x))
    assert found == ["jit", "custom_jvp_call"]
