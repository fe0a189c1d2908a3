# wrong: a scan, in a new partial at each call; exercise: slow_compile; must fail: compilations; says: compiled
def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    return jax.jit(partial(run, rate=rate, n_iterations=n_iterations))(Y, O)
