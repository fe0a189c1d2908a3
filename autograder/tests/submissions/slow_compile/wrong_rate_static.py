# wrong: the rate is static too; exercise: slow_compile; must fail: compilations; says: `rate` was the static value
@partial(jax.jit, static_argnames=("rate", "n_iterations"))
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos
