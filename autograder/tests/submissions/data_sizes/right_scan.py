# right: a scan over the rows; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    def add(carry, row):
        total, smallest, n = carry
        count, use = row
        smallest = jnp.where(use, jnp.minimum(smallest, count), smallest)
        return (total + use * count, smallest, n + use), None

    p = counts.shape[1]
    start = jnp.zeros(p), jnp.full(p, jnp.inf), jnp.zeros((), int)
    (total, smallest, n), _ = jax.lax.scan(add, start, (counts, chosen))
    return total / jnp.maximum(n, 1), jnp.where(n > 0, smallest, 0)
