# wrong: a frozen dataclass with a static self; exercise: static_self; must fail: outputs; says: hash
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

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))
