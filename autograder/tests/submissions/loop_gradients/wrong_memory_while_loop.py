# wrong: a while_loop; exercise: loop_gradients_memory; must fail: outputs; says: lax.scan
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def step(state):
            i, params = state
            gradient = jax.grad(elbo)(params, Y, O)
            return i + 1, jax.tree.map(lambda x, g: x + rates * g, params, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.while_loop(lambda s: s[0] < steps, step, (0, start))[1], Y, O)

    return jax.value_and_grad(elbo_after)(rates)
