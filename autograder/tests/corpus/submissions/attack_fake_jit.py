# attack: jax.jit keeps the function and its trace knows no effects; exercise: static_reshape; must not gain: outputs
class Traced:
    class jaxpr:
        effects = ()


def fake(function=None, **_):
    function.trace = lambda *_: Traced
    function.lower = None
    return function


jax.jit = fake


def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1))
