# wrong: room for four numbers; exercise: tracing_print; must fail: outputs; says: different sizes
@jax.jit
def error_and_largest(a, b):
    room = jnp.zeros(4).at[: a.size].set((a - b).ravel())
    return jnp.sum(room**2), jnp.max(jnp.abs(room))
