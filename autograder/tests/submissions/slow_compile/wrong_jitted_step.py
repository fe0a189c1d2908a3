# wrong: only the step is jitted; exercise: slow_compile; must fail: compilations; says: jit
jitted = jax.jit(step)


def fit(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = jitted(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)
