# right: mapped over taxa, the ELBO summed after; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def column(y, o):
        def body(carry, _):
            M, log_S, elbo = step(*carry, y, o, rate)
            return (M, log_S), elbo

        start = jnp.zeros(y.shape)
        return jax.lax.scan(body, (start, start), length=n_iterations)

    (M, log_S), elbos = jax.vmap(column, in_axes=1, out_axes=((1, 1), 1))(Y, O)
    return M, log_S, elbos.sum(axis=1)
