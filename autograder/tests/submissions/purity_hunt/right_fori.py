# right: losses written into an array of the carry; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(i, state):
        B, losses = state
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, losses.at[i].set(loss)

    return lax.fori_loop(0, 10, step, (jnp.zeros_like(Y[0]), jnp.zeros(10)))
