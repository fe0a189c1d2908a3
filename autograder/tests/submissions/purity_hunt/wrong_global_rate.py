# wrong: reads the rate from the dictionary only; exercise: purity_hunt; must fail: outputs; says: expected
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


options = {"rate": 0.001}


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - options["rate"] * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
