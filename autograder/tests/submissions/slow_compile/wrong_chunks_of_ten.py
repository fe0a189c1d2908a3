# wrong: a scan for each chunk of ten iterations; exercise: slow_compile; must fail: compilations; says: grows
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    carry, traces = (start, start), []
    for first in range(0, n_iterations, 10):
        carry, elbos = jax.lax.scan(body, carry, length=min(10, n_iterations - first))
        traces.append(elbos)
    return *carry, jnp.concatenate(traces)
