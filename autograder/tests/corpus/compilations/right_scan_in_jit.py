# verdict: right
# counts: 1 0 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:3],)]


@jax.jit
def entry(x):
    def body(carry, _):
        return carry * 0.9 + 1.0, jnp.sum(carry)

    return jax.lax.scan(body, x, None, length=5)
