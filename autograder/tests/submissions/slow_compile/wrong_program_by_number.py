# wrong: a jitted function for each number of iterations, in an lru_cache; exercise: slow_compile; must fail: compilations; says: the task asks for one
from functools import lru_cache


@lru_cache
def program(n):
    @jax.jit
    def run(Y, O, rate):
        def body(carry, _):
            M, log_S, elbo = step(*carry, Y, O, rate)
            return (M, log_S), elbo

        z = jnp.zeros_like(Y)
        (M, log_S), elbos = jax.lax.scan(body, (z, z), length=n)
        return M, log_S, elbos

    return run


def fit(Y, O, rate, n_iterations):
    return program(n_iterations)(Y, O, rate)
