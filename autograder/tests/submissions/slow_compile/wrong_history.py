# wrong: keeps the ELBOs in a list; exercise: slow_compile; must fail: outputs, purity; says: tracer
history = []


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        history.append(elbo)
        return (M, log_S), None

    start = jnp.zeros(Y.shape)
    (M, log_S), _ = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, jnp.stack(history)
