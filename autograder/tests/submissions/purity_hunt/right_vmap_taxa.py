# right: each taxon by vmap; exercise: purity_hunt
def poisson_loss(b, y, o):
    eta = o + b
    return (jnp.exp(eta) - y * eta).mean()


@jax.jit
def fit(Y, O, rate):
    slopes = jax.vmap(jax.value_and_grad(poisson_loss), in_axes=(0, 1, 1))

    def step(B, _):
        losses, slope = slopes(B, Y, O)
        return B - rate * slope, losses.sum()

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
