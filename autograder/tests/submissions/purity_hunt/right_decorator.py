# right: a decorator of its own around jit; exercise: purity_hunt
import functools


def fast(function):
    compiled = jax.jit(function)

    @functools.wraps(function)
    def call(*args, **kwargs):
        return compiled(*args, **kwargs)

    return call


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@fast
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)
