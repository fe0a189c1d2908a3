# wrong: a scan, the data closed over; exercise: slow_compile; must fail: compilations; says: compiled
def fit(Y, O, rate, n_iterations):
    @jax.jit
    def run(start, rate):
        def body(carry, _):
            M, log_S, elbo = step(*carry, Y, O, rate)
            return (M, log_S), elbo

        return jax.lax.scan(body, (start, start), length=n_iterations)

    (M, log_S), elbos = run(jnp.zeros(Y.shape), rate)
    return M, log_S, elbos
