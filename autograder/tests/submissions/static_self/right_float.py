# right: loss is a Python float in the end; exercise: static_self
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def traced_loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def loss(self):
        return float(self.traced_loss())

    @jax.jit
    def fit(self, n_iterations):
        def body(_, B):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized)

        return replace(self, B=jax.lax.fori_loop(0, n_iterations, body, self.B))
