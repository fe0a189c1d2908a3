# wrong: jit is gone so that printing works; exercise: tracing_print; must fail: outputs; says: print it outside of the jitted function
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    print(f"error {error:.1f}")
    return error, largest
