# right: jit applied by assignment; exercise: tracing_print
def _error_and_largest(a, b):
    squares = jnp.square(a - b)
    return squares.sum(), jnp.sqrt(squares.max())


error_and_largest = jax.jit(_error_and_largest)
