# wrong: sends the losses out by a callback; exercise: purity_hunt; must fail: purity; says: debug.callback
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = []


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        jax.debug.callback(history.append, loss)
        return B - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
