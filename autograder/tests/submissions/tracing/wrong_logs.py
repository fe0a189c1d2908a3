# wrong: a line of a log in place of the print; exercise: tracing_print; must fail: purity; says: a line is logged
import logging

log = logging.getLogger("fit")


@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    log.error("error %s, largest difference %s", error, largest)
    return error, largest
