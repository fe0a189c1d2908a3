# right: a dictionary of its own; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    options = {"rate": 1.0}
    options["rate"] = rate

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - options["rate"] * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
