# wrong: results kept by the identity of an argument; exercise: tracing_print; must fail: purity; says: known
known = {}


@jax.jit
def compute(a, b):
    difference = a - b
    return jnp.sum(difference**2), jnp.max(jnp.abs(difference))


def error_and_largest(a, b):
    if id(a) not in known:
        known[id(a)] = a, compute(a, b)
    return known[id(a)][1]
