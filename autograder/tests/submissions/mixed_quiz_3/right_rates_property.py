# right: offsets behind a property; exercise: mixed_quiz_3_rates
exponential = jax.jit(lambda offsets, B: jnp.exp(offsets + B))


class Rates:
    def __init__(self, offsets):
        self._offsets = jnp.asarray(offsets)

    @property
    def offsets(self):
        return self._offsets

    @offsets.setter
    def offsets(self, offsets):
        self._offsets = jnp.asarray(offsets)

    def expected(self, B):
        return exponential(self.offsets, B)
