# wrong: the key is the settings; exercise: static_self; must fail: outputs; says: key was still the same
import copy


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def __hash__(self):
        return hash((self.ridge, self.penalized))

    def __eq__(self, other):
        return (self.ridge, self.penalized) == (other.ridge, other.penalized)

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

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
