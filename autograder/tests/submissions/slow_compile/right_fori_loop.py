# right: fori_loop that fills an array; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(i, carry):
        M, log_S, elbos = carry
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        return M, log_S, elbos.at[i].set(elbo)

    start = jnp.zeros(Y.shape)
    carry = start, start, jnp.zeros(n_iterations)
    return jax.lax.fori_loop(0, n_iterations, body, carry)
