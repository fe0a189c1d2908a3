# wrong: a table of a hundred jitted functions, so that no fit can have more iterations; exercise: slow_compile; must fail: compilations; says: the task asks for one
def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


fits = {n: jax.jit(partial(run, n_iterations=n)) for n in range(1, 101)}


def fit(Y, O, rate, n_iterations):
    return fits[n_iterations](Y, O, rate)
