# wrong: room for the entries of the oaks; exercise: safe_where; must fail: outputs; says: different sizes
@jax.jit
def log_factorial(y):
    room = jnp.ones(116 * 114).at[: y.size].set(jnp.where(y == 0, 1.0, y).ravel())
    stirling = 0.5 * jnp.log(2 * jnp.pi * room) + room * jnp.log(room) - room
    return jnp.where(y == 0, 0.0, stirling[: y.size].reshape(y.shape))
