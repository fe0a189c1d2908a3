# wrong: a hundred steps at most; exercise: loop_gradients_memory; must fail: outputs; says: fit_with_gradient
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=min(steps, 100))[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)
