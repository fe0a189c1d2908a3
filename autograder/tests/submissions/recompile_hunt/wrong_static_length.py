# wrong: the length is static; exercise: recompile_hunt; must fail: compilations; says: a static value is part of the program
from functools import partial


@partial(jax.jit, static_argnames="length")
def summary(padded, length):
    logs = jnp.log1p(padded[:length])
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded, len(counts))
