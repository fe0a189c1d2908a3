# right: one check of all losses; exercise: debugging_nan
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    where = jnp.argmax(~jnp.isfinite(losses))
    checkify.check(jnp.isfinite(losses).all(), "loss not finite at leaf {}", where)
    return b, losses.mean()


run = jax.jit(checkify.checkify(run, errors=checkify.user_checks))


def fit(Y, O, rate):
    err, out = run(Y, O, rate)
    if err.get() is not None:
        raise ArithmeticError(err.get())
    return out
