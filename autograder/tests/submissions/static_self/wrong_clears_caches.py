# wrong: clears the caches at each change; exercise: static_self; must fail: compilations, purity; says: compiled
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        jax.clear_caches()
        return self

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
