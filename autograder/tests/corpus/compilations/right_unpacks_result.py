# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _fit(x):
    return jnp.mean(x), {"sd": jnp.std(x)}


def entry(x):
    mean, rest = _fit(x)
    return {"mean": mean, **rest}
