# right: the program returns all losses, and the caller names the leaf; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, leaf[0], leaf[1])
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros(Y.shape[1]), (Y, O))


def fit(Y, O, rate):
    b, losses = run(Y, O, rate)
    bad = np.flatnonzero(np.isnan(losses))
    if bad.size:
        raise ValueError(f"something went wrong on leaf {bad[0]}, loss NaN")
    return b, np.mean(losses)
