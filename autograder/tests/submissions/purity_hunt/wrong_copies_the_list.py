# wrong: copies the global list first; exercise: purity_hunt; must fail: outputs; says: UnexpectedTracerError
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = []


@jax.jit
def fit(Y, O, rate):
    losses = list(history)

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses.append(loss)
        return B - rate * slope, None

    B, _ = lax.scan(step, jnp.zeros_like(Y[0]), length=10)
    return B, jnp.stack(losses)
