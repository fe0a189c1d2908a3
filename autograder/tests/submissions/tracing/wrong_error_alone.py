# wrong: returns one number; exercise: tracing_print; must fail: outputs; says: expected arrays at result[0], result[1]
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return error
