# wrong: four leaves in each call, so that the oaks take 29 calls; exercise: debugging_nan; must fail: compilations; says: call
@jax.jit
def run(b, Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, b, (Y, O))


def fit(Y, O, rate):
    b, losses = jnp.zeros(Y.shape[1]), []
    for at in range(0, len(Y), 4):
        b, part = run(b, Y[at : at + 4], O[at : at + 4], rate)
        if jnp.isnan(part).any():
            raise FloatingPointError(f"a loss is NaN among leaves {at} to {at + 3}")
        losses.append(part)
    return b, jnp.concatenate(losses).mean()
