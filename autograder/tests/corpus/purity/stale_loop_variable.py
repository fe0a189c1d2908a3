# impure: stale-global, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

steps = []
for k in range(3):

    def step(x):
        return x * k

    steps.append(step)


def f(x):
    for s in steps:
        x = s(x)
    return x
