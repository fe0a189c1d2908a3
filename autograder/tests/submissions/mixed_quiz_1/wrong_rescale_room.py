# wrong: room for the leaves of the oaks; exercise: mixed_quiz_1_rescale; must fail: outputs; says: different sizes
@jax.jit
def rescale(counts):
    n = len(counts)
    totals = jnp.ones(116).at[:n].set(counts.sum(axis=1))[:n]
    return counts / totals[:, None] * totals.mean()
