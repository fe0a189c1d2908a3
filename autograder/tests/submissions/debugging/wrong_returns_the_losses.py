# wrong: returns all losses in the place of their mean; exercise: debugging_nan; must fail: outputs; says: has shape
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))


def fit(Y, O, rate):
    b, losses = run(Y, O, rate)
    if jnp.isnan(losses).any():
        raise FloatingPointError("the loss is NaN")
    return b, losses
