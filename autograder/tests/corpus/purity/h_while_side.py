# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

n_iter = 0


def f(x):
    def cond(c):
        return c[0] < 3

    def body(c):
        global n_iter
        n_iter += 1
        return c[0] + 1, c[1] * 2

    return jax.lax.while_loop(cond, body, (0, x))[1]
