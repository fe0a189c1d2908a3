# wrong: the history of M is kept and summed; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
def last(result):
    _, (kept, gradients) = result
    return jax.tree.map(lambda x, g: x[-1] + 0 * g.sum(0), kept, gradients)


@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            new = jax.tree.map(lambda x, g: x + rates * g, params, gradient)
            return new, (new, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(last(lax.scan(body, start, length=steps)), Y, O)

    return jax.value_and_grad(elbo_after)(rates)
