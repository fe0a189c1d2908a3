# wrong: asks the tracer for its number; exercise: tracing_print; must fail: outputs; says: A plain Python number is needed
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    print(f"error {float(error):.1f}")
    return error, largest
