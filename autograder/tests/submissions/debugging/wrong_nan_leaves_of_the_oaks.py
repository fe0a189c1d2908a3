# wrong: the leaves of the oaks, and no more; exercise: debugging_nan; must fail: outputs; says: fit
def fit_leaves(Y, O, rate):
    def step(b, i):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        checkify.check(~jnp.isnan(loss), "the loss is NaN at leaf {leaf}", leaf=i)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(min(len(Y), 116)))
    return b, losses.mean()


checked_fit = jax.jit(checkify.checkify(fit_leaves))


def fit(Y, O, rate):
    error, result = checked_fit(Y, O, rate)
    error.throw()
    return result
