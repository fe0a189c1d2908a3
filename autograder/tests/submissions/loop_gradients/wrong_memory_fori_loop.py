# wrong: fori_loop in place of scan; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def step(_, params):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.fori_loop(0, steps, step, start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)
