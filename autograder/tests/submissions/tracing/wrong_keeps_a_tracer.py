# wrong: also keeps a number in a global; exercise: tracing_print; must fail: purity; says: kept
kept = {}


@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    kept["largest"] = largest
    return error, largest
