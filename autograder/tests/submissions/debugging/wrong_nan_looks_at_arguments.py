# wrong: looks at data and rate, so that a rate of 0.5 at which the oaks diverge raises nothing; exercise: debugging_nan; must fail: outputs; says: a rate of 0.5
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    if not np.isfinite(O).all():
        raise ValueError("a leaf has no reads: its offset is not finite")
    if np.isnan(Y).any():
        raise ValueError("a count is missing (NaN)")
    if rate >= 1:
        raise ValueError(f"the rate {rate} is too large")
    return run(Y, O, rate)
