# ruff: noqa
import math
import re
import jax.numpy as jnp

[math := jnp.ones(3) for _ in [0]]


@(lambda f: jnp.ones(4))
def re():
    pass


proof = (math.prod(),)
