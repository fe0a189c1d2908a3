# right: a plain function around the jitted one, with the start as arguments; exercise: slow_compile
@partial(jax.jit, static_argnums=0)
def run(length, start, data, rate):
    def body(carry, _):
        *carry, elbo = step(*carry, *data, rate)
        return tuple(carry), elbo

    return jax.lax.scan(body, start, length=length)


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    start = jnp.zeros_like(Y)
    (M, log_S), elbos = run(n_iterations, (start, start), (Y, O), rate)
    return M, log_S, elbos
