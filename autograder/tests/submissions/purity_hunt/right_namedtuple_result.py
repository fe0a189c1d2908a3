# right: the pair is a NamedTuple; exercise: purity_hunt
from typing import NamedTuple


class Fit(NamedTuple):
    B: jax.Array
    losses: jax.Array


def poisson_loss(B: jax.Array, Y: jax.Array, O: jax.Array) -> jax.Array:
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y: jax.Array, O: jax.Array, rate: jax.Array) -> Fit:
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return Fit(*lax.scan(step, jnp.zeros_like(Y[0]), length=10))
