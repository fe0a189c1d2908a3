# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.custom_vjp
def clip(x):
    return jnp.clip(x, 0, 1)


clip.defvjp(lambda x: (clip(x), None), lambda _, g: (g,))

entry = jax.jit(jax.grad(lambda x: jnp.sum(clip(x))))
