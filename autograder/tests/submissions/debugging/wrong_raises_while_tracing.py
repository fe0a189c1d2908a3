# wrong: an if in the step; exercise: debugging_nan; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        if jnp.isnan(loss):
            raise ValueError("NaN")
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()
