# wrong: all objects are equal; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Rates)

    @partial(jax.jit, static_argnums=0)
    def expected(self, B):
        return jnp.exp(self.offsets + B)
