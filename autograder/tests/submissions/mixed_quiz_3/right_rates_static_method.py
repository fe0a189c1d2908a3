# right: a jitted static method; exercise: mixed_quiz_3_rates
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    @staticmethod
    @jax.jit
    def _expected(offsets, B):
        return jnp.exp(offsets) * jnp.exp(B)

    def expected(self, B):
        return self._expected(self.offsets, B)
