# wrong: one count under vmap, which an array without axes does not have; exercise: safe_where; must fail: outputs; says: vmap
def of_one(y):
    safe = jnp.where(y == 0, 1.0, y)
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)


@jax.jit
def log_factorial(y):
    return jax.vmap(of_one)(y)
