# wrong: a new program at each call; exercise: debugging_nan; must fail: compilations; says: again
def fit(Y, O, rate):
    @jax.jit
    @checkify.checkify
    def run(Y, O, rate):
        def step(b, leaf):
            loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
            checkify.check(~jnp.isnan(loss), "the loss is NaN")
            return b - rate * slope, loss

        b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
        return b, losses.mean()

    error, result = run(Y, O, rate)
    error.throw()
    return result
