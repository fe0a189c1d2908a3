# right: a decorator pads, and has the signature of what it calls; exercise: recompile_hunt
from functools import wraps


def padded(*sizes):
    def decorate(function):
        compiled = jax.jit(function)

        @wraps(function)
        def call(array):
            size = min(s for s in sizes if s >= array.shape[0])
            filled = np.pad(array, (0, size - array.shape[0]))
            return compiled(filled, np.arange(size) < array.shape[0])

        return call

    return decorate


@padded(64, 128)
def abundance_summary(counts, mask):
    logs = jnp.log1p(counts)
    return jnp.mean(logs, where=mask), jnp.std(logs, where=mask)
