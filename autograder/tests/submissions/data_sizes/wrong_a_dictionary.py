# wrong: a dictionary in place of two arrays; exercise: data_sizes; must fail: outputs; says: result['mean']
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    smallest = jnp.where(rows, counts, jnp.inf).min(axis=0)
    return {"mean": mean, "smallest": jnp.where(chosen.any(), smallest, 0)}
