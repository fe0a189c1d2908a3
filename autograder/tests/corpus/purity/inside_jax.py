"""Functions whose effect lies in a callback, a loop body or a branch that JAX traces."""

# %% fori_appends
# impure, line 11
import jax
import jax.numpy as jnp
import numpy as np

losses = []


def f(x):
    def body(i, v):
        losses.append(v.sum())
        return v * 0.9

    return jax.lax.fori_loop(0, 5, body, x)

# %% debug_callback_list
# impure: global-mutated
import jax
import jax.numpy as jnp
import numpy as np

seen = []


@jax.jit
def f(x):
    jax.debug.callback(lambda v: seen.append(1), x)
    return x * 2

# %% cond_branches_append
# impure
import jax
import jax.numpy as jnp
import numpy as np

branches = []


def yes(x):
    branches.append("yes")
    return x


def no(x):
    branches.append("no")
    return -x


@jax.jit
def f(x):
    return jax.lax.cond(x.sum() > 0, yes, no, x)

# %% while_body_counts
# impure
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

# %% io_callback
# impure: host-callback, line 10
import jax
import jax.numpy as jnp
import numpy as np

from jax.experimental import io_callback


def f(x):
    io_callback(lambda v: None, None, x)
    return x

# %% pure_callback_counts
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

calls = []


def host(v):
    calls.append(1)
    return np.asarray(v) * 2


def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

# %% trace_sniff
# impure: jit-differs
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if isinstance(x, jax.core.Tracer):
        return x * 2
    return x * 3
