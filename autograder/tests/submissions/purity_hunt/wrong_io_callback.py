# wrong: an `io_callback` keeps the losses in a global list; exercise: purity_hunt; must fail: purity; says: `io_callback` calls back
from jax.experimental import io_callback

history = []


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        io_callback(lambda loss: history.append(float(loss)), None, loss, ordered=True)
        return B - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
