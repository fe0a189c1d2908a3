# wrong: a Python loop that looks at each step; exercise: debugging_nan; must fail: compilations; says: one after another
@jax.jit
def step(b, y, o, rate):
    loss, slope = jax.value_and_grad(poisson_loss)(b, y, o)
    return b - rate * slope, loss


def fit(Y, O, rate):
    b, losses = jnp.zeros(Y.shape[1]), []
    for i, (y, o) in enumerate(zip(Y, O, strict=True)):
        b, loss = step(b, y, o, rate)
        if np.isnan(loss):
            raise ValueError(f"NaN at leaf {i}")
        losses.append(loss)
    return b, jnp.mean(jnp.stack(losses))
