# wrong: the size of the largest difference, not the largest size; exercise: tracing_print; must fail: outputs; says: values differ
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    return jnp.sum(difference**2), jnp.abs(jnp.max(difference))
