# right: a partial of the step, made while tracing; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    move = partial(step, Y=Y, O=O, rate=rate)

    def body(carry, rate_again):
        M, log_S, elbo = move(*carry)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), None, n_iterations, unroll=2)
    return M, log_S, elbos
