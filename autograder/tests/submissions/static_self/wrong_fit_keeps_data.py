# wrong: fit goes on with the data that the model was made with, after set(Y=...); exercise: static_self; must fail: outputs; says: old `Y`
import copy


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized
        self.data = Y, O, X  # what does not change during a fit

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        return self.set(B=jitted_fit(self.B, *self.data, self.ridge, self.penalized, n_iterations))
