# wrong: the object as an argument that JAX does not know; exercise: mixed_quiz_3_rates; must fail: outputs; says: jit only takes arrays
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)
