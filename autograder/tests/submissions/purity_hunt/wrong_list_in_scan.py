# wrong: a list of its own, filled inside of scan; exercise: purity_hunt; must fail: outputs; says: return it instead of storing it
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    losses = []

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses.append(loss)
        return B - rate * slope, None

    B, _ = lax.scan(step, jnp.zeros_like(Y[0]), length=10)
    return B, jnp.stack(losses)
