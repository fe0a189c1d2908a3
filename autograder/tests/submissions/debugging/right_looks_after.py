# right: a plain if on the mean loss; exercise: debugging_nan
@jax.jit
def fit_leaves(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    b, mean = fit_leaves(Y, O, rate)
    if not np.isfinite(mean):
        raise FloatingPointError(f"the mean loss is {mean}")
    return b, mean
