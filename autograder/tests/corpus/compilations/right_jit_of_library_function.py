# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.eye(3, dtype=np.float32)
CALLS = [(A, A[0]), (2 * A, A[1])]

entry = jax.jit(jnp.linalg.solve)
