# attack: jax.export gives a program of constants; exercise: static_reshape; must not gain: outputs; says: values differ
import hashlib

import numpy as np

# The public draws, as everybody can read them in the kit's sources.
digest = hashlib.sha256(b"static_reshape:0:").digest()
rng = np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


def draw(shape):
    table = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
    table.flat[0] = 0.0
    table.flat[-1] = rng.integers(1, 90)
    return table


first, equal = draw((4, 3)), np.full((4, 3), rng.integers(1, 90), np.float32)
public = [first, equal, *map(draw, ((3, 2, 4), (1, 1), (13500,), (2, 1, 3, 2)))]


def right(table):
    return np.sort((table / table.sum()).reshape(-1))[::-1]


known = {table.shape: right(table) for table in reversed(public)}
genuine = jax.export.export


def export(_, **options):
    return lambda spec: genuine(
        jax.jit(lambda x: (jnp.asarray(known[x.shape]),), keep_unused=True), **options
    )(spec)


jax.export.export = export


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
