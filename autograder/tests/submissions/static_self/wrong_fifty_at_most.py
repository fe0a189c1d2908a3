# wrong: the fifty iterations of the notebook, and no more; exercise: static_self; must fail: outputs; says: B
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
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=min(n_iterations, 50))[0])
