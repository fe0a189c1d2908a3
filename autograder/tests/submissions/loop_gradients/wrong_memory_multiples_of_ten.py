# wrong: saves memory only where the number of steps is a multiple of ten; exercise: loop_gradients_memory; must fail: memory; says: times
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        @jax.checkpoint
        def ten(params, _):
            return lax.scan(body, params, length=10)[0], None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        if steps % 10 == 0:
            params, _ = lax.scan(ten, start, length=steps // 10)
        else:
            params, _ = lax.scan(body, start, length=steps)
        return elbo(params, Y, O)

    return jax.value_and_grad(elbo_after)(rates)
