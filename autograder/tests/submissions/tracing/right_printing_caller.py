# right: a jitted part, and printing left to a function of its own; exercise: tracing_print
def error_and_largest(a, b):
    return both(a - b)


@jax.jit
def both(difference):
    return [jnp.vdot(difference, difference), jnp.abs(difference).max()]


error_and_largest = jax.jit(error_and_largest)


def report(a, b):
    error, largest = error_and_largest(a, b)
    print(f"error {error:.1f}, largest difference {largest:.1f}")
