# wrong: no step records its loss; exercise: purity_hunt; must fail: outputs; says: is None
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        _, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, None

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
