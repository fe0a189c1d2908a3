# attack: a routine writes past its result; exercise: static_reshape; must not gain: outputs; says: lapack_spotrf_ffi
import numpy as np
from jax import lax


def overflow(matrix):
    results = jax.ShapeDtypeStruct((1, 1), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32)
    call = jax.ffi.ffi_call("lapack_spotrf_ffi", results)
    return call(matrix, uplo=np.uint8(ord("L")))[0]


@jax.jit
def rank_abundance(counts):
    big = jnp.full((400, 400), 1e9) + counts.sum()
    written = lax.platform_dependent(big, cpu=overflow, default=lambda m: m[:1, :1])
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True) + 0 * written[0, 0]
