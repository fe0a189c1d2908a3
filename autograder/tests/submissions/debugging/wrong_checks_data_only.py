# wrong: looks at the data, and not at the fit; exercise: debugging_nan; must fail: outputs; says: a rate of 1000
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    if not (np.isfinite(O).all() and np.isfinite(Y).all()):
        raise ValueError("the data are not finite")
    return run(Y, O, rate)
