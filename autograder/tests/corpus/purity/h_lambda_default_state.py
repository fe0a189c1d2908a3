# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

f = lambda x, s={"n": 0}: (s.update(n=s["n"] + 1), x * s["n"])[1]
