# wrong: sorted in chunks of a hundred; exercise: static_reshape; must fail: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    shares = (counts / counts.sum()).reshape(-1)
    chunks = [jnp.sort(shares[i : i + 100])[::-1] for i in range(0, counts.size, 100)]
    return jnp.concatenate(chunks)
