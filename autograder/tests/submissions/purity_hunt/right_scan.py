# right: the loss is what scan records; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    B, losses = lax.scan(step, jnp.zeros(Y.shape[1]), None, 10)
    return B, losses
