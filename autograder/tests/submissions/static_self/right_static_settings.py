# right: static self whose key is its one setting; all data are arguments; exercise: static_self
import copy


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def __hash__(self):
        return hash(self.penalized)

    def __eq__(self, other):
        return self.penalized == other.penalized

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @partial(jax.jit, static_argnums=0)
    def loss_at(self, B, Y, O, X, ridge):
        return penalized_loss(B, Y, O, X, ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations, B, Y, O, X, ridge):
        def body(B, _):
            return newton_step(B, Y, O, X, ridge, self.penalized), None

        return jax.lax.scan(body, B, length=n_iterations)[0]

    def loss(self):
        return self.loss_at(self.B, self.Y, self.O, self.X, self.ridge)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=self.fitted_B(n_iterations, *data))
