# right: jitted after its definition; exercise: slow_compile
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


fit = jax.jit(fit, static_argnums=3)
