# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np
import optax

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
optimizer = optax.adam(0.1)


@jax.jit
def entry(x):
    def body(carry, _):
        x, state = carry
        updates, state = optimizer.update(jax.grad(lambda v: jnp.sum(v**2))(x), state)
        return (optax.apply_updates(x, updates), state), None

    return jax.lax.scan(body, (x, optimizer.init(x)), None, length=5)[0][0]
