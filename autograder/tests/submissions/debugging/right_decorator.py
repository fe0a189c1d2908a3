# right: a decorator that makes a checked function; exercise: debugging
import functools


def raises(function):
    checked = jax.jit(checkify.checkify(function))

    @functools.wraps(function)
    def call(*arguments):
        error, result = checked(*arguments)
        error.throw()
        return result

    return call


@raises
def log_means(B, group, O):
    n = B.shape[0]
    checkify.check(jnp.all(jnp.logical_and(group >= 0, group < n)), "index out of bounds")
    return O + B[group]
