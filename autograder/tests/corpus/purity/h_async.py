# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import asyncio


async def g(x):
    return x * 2


def f(x):
    return asyncio.run(g(x))
