# wrong: throws in a jitted function; exercise: debugging_nan; must fail: outputs; says: Make it once
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        checkify.check(~jnp.isnan(loss), "the loss is NaN")
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


@jax.jit
def fit(Y, O, rate):
    error, result = checkify.checkify(run)(Y, O, rate)
    error.throw()
    return result
