# right: a segment sum and minimum with one segment; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    group = jnp.where(chosen, 0, 1)
    total = jax.ops.segment_sum(counts, group, num_segments=2)[0]
    smallest = jax.ops.segment_min(counts, group, num_segments=2)[0]
    n = jnp.sum(chosen)
    return total / jnp.maximum(n, 1), jnp.where(n == 0, 0, smallest)
