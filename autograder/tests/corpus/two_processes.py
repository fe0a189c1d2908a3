"""Functions whose program differs from process to process."""

# %% frozenset_order
# impure: differs-between-processes
import jax
import jax.numpy as jnp
import numpy as np

NAMES = frozenset(["alpha", "beta", "gamma", "delta"])


def f(x):
    cols = [x * len(n) for n in NAMES]
    return jnp.stack(cols)

# %% hash_value
# impure: differs-between-processes
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return x * (hash("seed") % 100)

# %% id_parity
# impure: differs-between-processes
import jax
import jax.numpy as jnp
import numpy as np

thing = object()


def f(x):
    return x * (id(thing) % 1000003)

# %% keys_difference
# impure: differs-between-processes
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "bb": jnp.zeros(2), "ccc": jnp.ones(2)}, {"a": 1})


def f(p, skip):
    return jnp.concatenate([p[k] for k in p.keys() - skip.keys()])

# %% set_order
# impure: differs-between-processes
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "b": jnp.zeros(2), "c": jnp.ones(2)},)


def f(params):
    total = 0.0
    for name in {"a", "b", "c"}:
        total = total * 2 + params[name].sum()
    return total
