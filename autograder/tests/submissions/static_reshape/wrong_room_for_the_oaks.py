# wrong: room for the cells of the oaks; exercise: static_reshape; must fail: outputs; says: different sizes
@jax.jit
def rank_abundance(counts):
    cells = jnp.zeros(116 * 114).at[: counts.size].set((counts / counts.sum()).reshape(-1))
    return jnp.sort(cells)[::-1][: counts.size]
