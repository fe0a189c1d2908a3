# wrong: set copies the model anew for each change, so that only the last one counts; exercise: static_self; must fail: outputs; says: one copy with all the values
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

    def set(self, **changes):
        for name, value in changes.items():
            changed = copy.copy(self)
            setattr(changed, name, value)
        return changed

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=jitted_fit(*data, self.penalized, n_iterations))
