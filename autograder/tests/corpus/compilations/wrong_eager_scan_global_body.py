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
