# wrong: M and log_S rounded to half precision in the carry; exercise: loop_gradients_memory; must fail: outputs; says: [0]
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            new = jax.tree.map(lambda x, g: x + rates * g, params, gradient)
            return jax.tree.map(lambda x: x.astype(jnp.float16).astype(jnp.float32), new), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)
