# right: static self with nothing in its key; the offsets are an argument; exercise: mixed_quiz_3_rates
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Rates)

    @partial(jax.jit, static_argnums=0)
    def expected_at(self, offsets, B):
        return jnp.exp(offsets + B)

    def expected(self, B):
        return self.expected_at(self.offsets, B)
