# wrong: a check, and no checkify around it; exercise: debugging_nan; must fail: outputs; says: Make it once
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        checkify.check(~jnp.isnan(loss), "the loss is NaN")
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()
