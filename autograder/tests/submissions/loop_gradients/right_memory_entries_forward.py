# right: each entry carries its own derivative along; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def climb(params, rates):
        gradient = jax.grad(elbo)(params, Y, O)
        return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

    def body(state, _):
        params, slopes = state
        return jax.jvp(climb, (params, rates), (slopes, jnp.ones_like(rates))), None

    zeros = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
    (params, slopes), _ = lax.scan(body, (zeros, zeros), length=steps)
    value, gradient = jax.value_and_grad(elbo)(params, Y, O)
    by_entry = gradient[0] * slopes[0] + gradient[1] * slopes[1]
    return value, by_entry.sum(axis=0)
