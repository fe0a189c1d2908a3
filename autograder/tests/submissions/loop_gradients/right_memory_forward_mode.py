# right: forward mode, one rate at a time, keeps no step; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    def slope(direction):
        return jax.jvp(elbo_after, (rates,), (direction,))[1]

    return elbo_after(rates), lax.map(slope, jnp.eye(rates.size))
