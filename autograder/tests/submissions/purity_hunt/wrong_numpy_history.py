# wrong: puts the losses into a NumPy array; exercise: purity_hunt; must fail: outputs; says: a tracer cannot be put into it
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    losses = np.zeros(10)
    B = jnp.zeros_like(Y[0])
    for i in range(10):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses[i] = loss
        B = B - rate * slope
    return B, losses
