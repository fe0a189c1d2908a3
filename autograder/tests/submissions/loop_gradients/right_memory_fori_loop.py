# right: fori_loop over a checkpointed step; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def step(params):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.fori_loop(0, steps, lambda _, params: step(params), start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)
