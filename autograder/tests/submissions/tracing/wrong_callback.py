# wrong: prints through a callback; exercise: tracing_print; must fail: outputs; says: calls back into Python
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    error = jax.pure_callback(lambda e: e, error, error)
    return error, largest
