# wrong: traced self, not registered; exercise: static_self; must fail: outputs; says: pytree
from dataclasses import replace


@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

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
