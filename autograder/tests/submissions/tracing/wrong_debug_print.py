# wrong: debug.print left in; exercise: tracing_print; must fail: purity; says: jax.debug.print
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    jax.debug.print("error {e}", e=error)
    return error, largest
