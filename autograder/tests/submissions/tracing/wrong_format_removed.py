# wrong: prints the tracers unformatted; exercise: tracing_print; must fail: purity; says: print
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    print("error", error, "largest difference", largest)
    return error, largest
