# wrong: jax.debug.print is left in the step; exercise: debugging_nan; must fail: purity; says: jax.debug.print
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        jax.debug.print("loss {loss}", loss=loss)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    result = run(Y, O, rate)
    if jnp.isnan(result[1]):
        raise FloatingPointError("the loss is NaN")
    return result
