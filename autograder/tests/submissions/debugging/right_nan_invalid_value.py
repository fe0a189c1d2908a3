# right: says what is wrong in NumPy's own words, and at which step; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    bad = jnp.isnan(losses)
    return (b, losses.mean()), jnp.where(bad.any(), jnp.argmax(bad), -1)


def fit(Y, O, rate):
    result, first = run(Y, O, rate)
    if first >= 0:
        raise FloatingPointError(f"invalid value encountered in the loss of step {int(first)}")
    return result
