# wrong: a new jitted function at each call; exercise: mixed_quiz_3_rates; must fail: compilations; says: new function object each time
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return jax.jit(lambda B: jnp.exp(self.offsets + B))(B)
