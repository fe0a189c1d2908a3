# right: checks that checkify writes; exercise: debugging_nan
def fit_leaves(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


checked = jax.jit(checkify.checkify(fit_leaves, errors=checkify.float_checks))


def fit(Y, O, rate):
    error, result = checked(Y, O, rate)
    error.throw()
    return result
