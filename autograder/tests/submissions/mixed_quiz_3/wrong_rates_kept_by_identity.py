# wrong: results kept by the identity of the levels; exercise: mixed_quiz_3_rates; must fail: outputs; says: with_new_offsets
@jax.jit
def expected(offsets, B):
    return jnp.exp(offsets + B)


known = {}


class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        if id(B) not in known:
            known[id(B)] = expected(self.offsets, B)
        return known[id(B)]
