# wrong: the largest difference, signed; exercise: tracing_print; must fail: outputs; says: values differ
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(difference)
    return error, largest
