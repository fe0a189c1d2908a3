# wrong: results kept by the identity of y; exercise: safe_where; must fail: purity; says: known
known = {}


@jax.jit
def compute(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jnp.where(y == 0, 0.0, stirling)


def log_factorial(y):
    if id(y) not in known:
        known[id(y)] = y, compute(y)
    return known[id(y)][1]
