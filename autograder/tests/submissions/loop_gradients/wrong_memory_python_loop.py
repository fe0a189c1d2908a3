# wrong: checkpoints each iteration of a Python loop; exercise: loop_gradients_memory; must fail: compilations; says: too large
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    @jax.checkpoint
    def body(params, rates):
        gradient = jax.grad(elbo)(params, Y, O)
        return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

    def elbo_after(rates):
        params = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        for _ in range(steps):
            params = body(params, rates)
        return elbo(params, Y, O)

    return jax.value_and_grad(elbo_after)(rates)
