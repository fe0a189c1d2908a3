# wrong: results cached by shape; exercise: purity_hunt; must fail: purity; says: a tracer is left in `results
results = {}


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def run(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)


def fit(Y, O, rate):
    if Y.shape not in results:
        results[Y.shape] = run(Y, O, rate)
    return results[Y.shape]
