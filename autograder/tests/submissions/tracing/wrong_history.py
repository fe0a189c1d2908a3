# wrong: appends to a list while tracing; exercise: tracing_print; must fail: purity; says: history
history = []


@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    history.append(difference.shape)
    return error, largest
