# wrong: jitted once, still unrolled; exercise: slow_compile; must fail: compilations; says: unrolled
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)
