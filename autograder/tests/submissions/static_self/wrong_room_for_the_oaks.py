# wrong: room for the leaves of the oaks; exercise: static_self; must fail: outputs; says: shape
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: jax.Array | float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        n = len(self.Y)
        Y = jnp.zeros((116, self.Y.shape[1])).at[:n].set(self.Y)[:n]
        return penalized_loss(self.B, Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])
