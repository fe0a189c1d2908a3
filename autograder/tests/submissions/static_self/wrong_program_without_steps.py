# wrong: a dictionary of programs whose key leaves the number of iterations out; exercise: static_self; must fail: outputs; says: by the number of its steps
from dataclasses import dataclass, replace

programs = {}


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


def program_for(shape, penalized, n_iterations):
    key = shape, penalized
    if key not in programs:

        def run(B, Y, O, X, ridge):
            def body(B, _):
                return newton_step(B, Y, O, X, ridge, penalized), None

            return jax.lax.scan(body, B, length=n_iterations)[0]

        programs[key] = jax.jit(run)
    return programs[key]


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

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        run = program_for(self.Y.shape, self.penalized, n_iterations)
        return self.set(B=run(self.B, self.Y, self.O, self.X, self.ridge))
