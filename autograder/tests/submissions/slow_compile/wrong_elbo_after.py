# wrong: the ELBO after each step; exercise: slow_compile; must fail: outputs; says: [2]
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, _ = step(*carry, Y, O, rate)
        return (M, log_S), step(M, log_S, Y, O, rate)[2]

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos
