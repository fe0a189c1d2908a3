# wrong: jit is gone; exercise: tracing_print; must fail: compilations; says: Put the whole function under one jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return error, largest
