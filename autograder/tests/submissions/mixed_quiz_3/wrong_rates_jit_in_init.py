# wrong: jitted with the first offsets; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets
        self.expected = jax.jit(lambda B: jnp.exp(offsets + B))
