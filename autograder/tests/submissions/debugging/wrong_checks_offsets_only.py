# wrong: looks at the offsets alone; exercise: debugging_nan; must fail: outputs; says: a missing count
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    if not jnp.isfinite(O).all():
        raise ValueError("an offset is not finite")
    return run(Y, O, rate)
