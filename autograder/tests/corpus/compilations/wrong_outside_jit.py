"""Functions that leave work outside of jit, or run many programs."""

# %% wrong_eager
# verdict: wrong (eager-code)
# counts: 0 0
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jnp.sum(jnp.sin(x) ** 2)

# %% wrong_eager_after
# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.ones(6, np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(x):
    return jnp.sum(x)


def entry(x):
    return total(x) / x.size

# %% wrong_eager_before
# verdict: wrong (eager-code)
# counts: 1 0
# says: log
import jax
import jax.numpy as jnp
import numpy as np

A = np.ones(6, np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(x):
    return jnp.sum(x)


def entry(x):
    return total(jnp.log(x))

# %% wrong_eager_cond
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.lax.cond(x.sum() > 0, lambda v: v, lambda v: -v, x)

# %% wrong_eager_map
# verdict: wrong (eager-code)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.lax.map(lambda v: v * 2 + 1, x)

# %% wrong_eager_piecewise
# verdict: wrong (eager-code)
# counts: 1 1
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jnp.piecewise(x, [x > 2], [lambda v: v, lambda v: 2 * v])

# %% wrong_eager_scan
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    def body(carry, _):
        return carry * 0.9 + 1.0, jnp.sum(carry)

    return jax.lax.scan(body, x, None, length=5)

# %% wrong_eager_scan_global_body
# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def body(carry, _):
    return carry * 0.9 + 1.0, jnp.sum(carry)


def entry(x):
    return jax.lax.scan(body, x, None, length=5)

# %% wrong_eager_vmap
# verdict: wrong (eager-code)
# counts: 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.ones((4, 3), np.float32)
CALLS = [(A,), (A + 1,)]


def norm(row):
    return jnp.sqrt(jnp.sum(row**2))


def entry(x):
    return jax.vmap(norm)(x)

# %% wrong_eager_where_only
# verdict: wrong (eager-code)
# counts: 0 0
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
B = A > 2
CALLS = [(B, A, A), (B, A + 1, A)]


def entry(mask, x, y):
    return jnp.where(mask, x, y)

# %% wrong_eager_while
# verdict: wrong (eager-code)
# counts: 1 1
import jax
import numpy as np

A = np.float32(100)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.lax.while_loop(lambda v: v > 1, lambda v: v / 2, x)

# %% wrong_grad_outside_jit
# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: outside jit
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def loss(x):
    return jnp.sum(x**2)


def entry(x):
    return jax.value_and_grad(loss)(x)

# %% wrong_jit_unused
# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def loss(x):
    return jnp.sum(jnp.cos(x))


jitted = jax.jit(loss)


def entry(x):
    jitted(x)
    return loss(x)

# %% wrong_loop_of_jitted_steps
# verdict: wrong (many-programs-run)
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x):
    return x * 0.5 + 1.0


def entry(x):
    for _ in range(20):
        x = step(x)
    return x

# %% wrong_loop_until_flag
# verdict: wrong (many-programs-run)
# counts: 1 0
# says: jax.lax.scan
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x):
    return x * 0.5, jnp.max(x) > 1


def entry(x):
    more = True
    while more:
        x, more = step(x)
    return x

# %% wrong_loop_until_tolerance
# verdict: wrong (eager-code)
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def half(x):
    return x / 2


def entry(x):
    while float(x[1]) > 0.1:
        x = half(x)
    return x

# %% wrong_numpy_only
# verdict: wrong (no-program)
# counts: 0 0
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return np.sum(np.asarray(x) ** 2)

# %% wrong_random_key_outside
# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key, x.shape, jnp.float32)


def entry(x):
    return noisy(x, jax.random.split(jax.random.key(0))[0])
