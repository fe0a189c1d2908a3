# wrong: room for the taxa of the oaks; exercise: purity_hunt; must fail: outputs; says: shape
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return lax.scan(step, jnp.zeros(114)[: Y.shape[1]], length=10)
