# right: scans of ten steps within a scan, both checkpointed; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        @jax.checkpoint
        def many(params, _):
            return lax.scan(jax.checkpoint(body), params, length=10)[0], None

        def whole(params):
            params = lax.scan(many, params, length=steps // 10)[0]
            return lax.scan(body, params, length=steps % 10)[0]

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(whole(start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)
