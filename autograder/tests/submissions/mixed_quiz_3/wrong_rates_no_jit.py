# wrong: jit taken away; exercise: mixed_quiz_3_rates; must fail: compilations; says: jit
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return jnp.exp(self.offsets + B)
