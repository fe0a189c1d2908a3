# wrong: replaces the NaN; exercise: debugging_nan; must fail: outputs; says: nobody learns
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * jnp.nan_to_num(slope), jnp.nan_to_num(loss)

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()
