# right: a NamedTuple whose methods call jitted functions; exercise: static_self
from typing import NamedTuple


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return self._replace(**changes)

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=jitted_fit(*data, self.penalized, n_iterations))
