# wrong: the error is raised in jax.debug.callback; exercise: debugging_nan; must fail: purity; says: jax.debug.callback
def complain(loss):
    if np.isnan(loss):
        raise ValueError("the loss is NaN")


@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        jax.debug.callback(complain, loss)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()
