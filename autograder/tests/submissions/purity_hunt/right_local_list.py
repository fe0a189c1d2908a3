# right: a list of its own in an unrolled loop; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses.append(loss)
        B = B - rate * slope
    return B, jnp.stack(losses)
