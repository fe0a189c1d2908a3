# wrong: the history is a reference that outlives the call; exercise: purity_hunt; must fail: outputs; says: made outside of it
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = jax.new_ref(jnp.zeros(10))


@jax.jit
def fit(Y, O, rate):
    def step(i, B):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history[i] = loss
        return B - rate * slope

    B = lax.fori_loop(0, 10, step, jnp.zeros_like(Y[0]))
    return B, history[...]
