# wrong: room for the twelve iterations of the notebook; exercise: slow_compile; must fail: outputs; says: fit
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=min(n_iterations, 12))
    return M, log_S, jnp.pad(elbos, (0, n_iterations - len(elbos)))
