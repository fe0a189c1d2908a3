# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from collections import deque, defaultdict, OrderedDict


def f(x):
    d = deque([x], maxlen=2)
    d.append(x * 2)
    dd = defaultdict(list)
    dd["a"].append(d[-1])
    o = OrderedDict(z=1)
    o.move_to_end("z")
    return dd["a"][0] * o["z"]
