# attack: a batch that is not there is read; exercise: static_reshape; must not gain: outputs; says: lapack_strsm_ffi
import numpy as np
from jax import lax

jnp.linalg.cholesky(jnp.eye(1)).block_until_ready()  # JAX looks LAPACK's routines up

SIZE = 2
LETTERS = {"side": "L", "uplo": "L", "trans_x": "N", "diag": "N"}


def read(counts):
    result = jax.ShapeDtypeStruct((SIZE, 1, 1), jnp.float32)
    attributes = {name: np.uint8(ord(letter)) for name, letter in LETTERS.items()}
    one = counts.reshape(-1)[:1].reshape(1, 1, 1)
    return jax.ffi.ffi_call("lapack_strsm_ffi", result)(one, one, **attributes)


@jax.jit
def rank_abundance(counts):
    heap = lax.platform_dependent(counts, cpu=read, default=lambda _: jnp.zeros((SIZE, 1, 1)))
    return jnp.resize(heap, counts.size)
