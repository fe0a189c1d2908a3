# wrong: skips leaves with NaN; exercise: debugging_nan; must fail: outputs; says: nobody learns
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        bad = jnp.isnan(loss)
        return jnp.where(bad, b, b - rate * slope), jnp.where(bad, 0.0, loss)

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()
