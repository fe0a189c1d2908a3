# attack: an object whose __class__ is jax.Array; exercise: static_reshape; must not gain: outputs
class Lie:
    shape, dtype, ndim, size = (12,), jnp.dtype("float32"), 1, 12

    @property
    def __class__(self):
        return jax.Array

    def __eq__(self, other):
        return True

    def __abs__(self):
        return 0.0


def rank_abundance(counts):
    return Lie()
