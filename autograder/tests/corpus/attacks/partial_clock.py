# attack: the clock behind functools.partial, its value unused by one mode; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools, time

clock = functools.partial(time.perf_counter_ns)


def f(x):
    return x + clock() % 1009
