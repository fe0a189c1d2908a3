# wrong: takes for granted that there is a second axis; exercise: static_reshape; must fail: outputs; says: tuple index out of range
@jax.jit
def rank_abundance(counts):
    rest = counts.size // counts.shape[0]
    rows = (counts / counts.sum()).reshape(counts.shape[0], -1)
    return jnp.sort(rows.reshape(counts.shape[0] * counts.shape[1] * (rest // counts.shape[1])))[
        ::-1
    ]
