# wrong: records the loss after each step; exercise: purity_hunt; must fail: outputs; says: values differ
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        _loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, poisson_loss(B - rate * slope, Y, O)

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
