# wrong: the pair in the other order; exercise: tracing_print; must fail: outputs; says: expected
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return largest, error
