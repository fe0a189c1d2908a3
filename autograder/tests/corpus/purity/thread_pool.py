# impure: thread, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from concurrent.futures import ThreadPoolExecutor


def f(x):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: x * 2).result()
