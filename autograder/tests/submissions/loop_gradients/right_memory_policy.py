# right: a policy that keeps nothing; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(
            lax.scan(
                jax.checkpoint(body, policy=jax.checkpoint_policies.nothing_saveable),
                start,
                length=steps,
            )[0],
            Y,
            O,
        )

    return jax.value_and_grad(elbo_after)(rates)
