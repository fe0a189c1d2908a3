# wrong: room for the taxa of the oaks; exercise: mixed_quiz_4_descend; must fail: outputs; says: shape
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    p = len(B)
    B = jnp.zeros(114).at[:p].set(B)[:p]
    for i, slope in enumerate(slopes):
        B = step(B, slope, i + 1)
    return B
