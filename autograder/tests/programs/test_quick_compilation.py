"""What is compiled quickly is not kept, and the setting is as before."""

import jax
import jax.numpy as jnp

from autograder.programs.jax_private import compiling_quickly
from plnkit.compile_counts import compile_counts


def test_nothing_is_kept_and_the_setting_is_as_before():
    step = jax.jit(lambda x: jnp.sin(x) * 3)
    x = jnp.ones(7)
    with compiling_quickly():
        assert jax.config.values["jax_disable_most_optimizations"]
        step(x)
    assert not jax.config.values["jax_disable_most_optimizations"]
    with compile_counts() as counted:
        step(x)
    assert counted["compilations"] == 1


def test_a_setting_of_the_users_stays():
    jax.config.update("jax_disable_most_optimizations", True)
    try:
        with compiling_quickly():
            pass
        assert jax.config.values["jax_disable_most_optimizations"]
    finally:
        jax.config.update("jax_disable_most_optimizations", False)
