# wrong: a hash of the contents; exercise: mixed_quiz_3_rates; must fail: outputs; says: ['before']
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def __hash__(self):
        return hash(np.asarray(self.offsets).tobytes())

    def __eq__(self, other):
        return bool(np.array_equal(self.offsets, other.offsets))

    @partial(jax.jit, static_argnums=0)
    def expected(self, B):
        return jnp.exp(self.offsets + B)
