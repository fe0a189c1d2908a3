# attack: an object that computes when it is looked at; exercise: static_reshape; must not gain: outputs
class Lazy:
    @property
    def __class__(self):
        return jax.Array

    shape, dtype, ndim, size = (12,), jnp.dtype("float32"), 1, 12

    def __array__(self, *_, **__):
        raise SystemExit(0)

    __jax_array__ = __array__


def rank_abundance(counts):
    return Lazy()
