# right: the ridge is made an array; registered by lists; exercise: static_self
from dataclasses import replace

from jax.tree_util import register_dataclass


@partial(register_dataclass, data_fields=["Y", "O", "X", "B", "ridge"], meta_fields=["penalized"])
@dataclass(frozen=True, eq=False)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def __post_init__(self):
        object.__setattr__(self, "ridge", jnp.asarray(self.ridge, jnp.float32))

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])
