# right: a second jitted function looks at the losses; exercise: debugging_nan
@jax.jit
def _fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))


@jax.jit
def _first(losses):
    bad = jnp.isnan(losses)
    return jnp.where(bad.any(), bad.argmax(), -1), losses.mean()


def fit(Y, O, rate):
    b, losses = _fit(Y, O, rate)
    leaf, loss = _first(losses)
    if leaf >= 0:
        raise RuntimeError(f"loss of leaf {int(leaf)}")
    return b, loss
