# wrong: keeps its programs in a dictionary; exercise: slow_compile; must fail: purity, compilations; says: programs
programs = {}


def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    if (Y.shape, n_iterations) not in programs:
        programs[Y.shape, n_iterations] = jax.jit(partial(run, n_iterations=n_iterations))
    return programs[Y.shape, n_iterations](Y, O, rate)
