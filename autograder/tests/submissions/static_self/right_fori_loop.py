# right: a traced number of iterations; exercise: static_self
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
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @jax.jit
    def fit(self, n_iterations):
        def body(_, model):
            data = model.Y, model.O, model.X, model.ridge, model.penalized
            return model.set(B=newton_step(model.B, *data))

        return jax.lax.fori_loop(0, n_iterations, body, self)
