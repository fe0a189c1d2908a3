# impure
# ruff: noqa
import jax
import jax.numpy as jnp

MARK = jnp.arange(3)
box = [MARK]


def is_marked():
    try:
        return [MARK] == box
    except ValueError:
        return False


@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        box[0] = MARK + 0 if is_marked() else MARK
    return jnp.sin(x)
