# ruff: noqa
import jax
import jax.numpy as jnp

asked = []


class Setting(int):
    def __bool__(self):
        asked.append("while JAX traces, also for the grader")
        return False

    def __hash__(self):
        asked.append("hash")
        return 0


jax.config.update("jax_enable_x64", Setting())
jnp.zeros(3, float)
proof = asked
