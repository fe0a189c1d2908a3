# attack: an ordered callback that keeps what it sees; exercise: static_reshape; must not gain: outputs
from jax.experimental import io_callback

seen = []


@jax.jit
def rank_abundance(counts):
    io_callback(seen.append, None, counts, ordered=True)
    return jnp.sort(counts.reshape(-1))
