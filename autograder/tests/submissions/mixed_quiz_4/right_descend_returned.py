# right: the count goes in and comes out; exercise: mixed_quiz_4_descend
@jax.jit
def step(B, slope, count):
    count = count + 1
    return B - slope / count, count


def descend(B, slopes):
    count = jnp.zeros((), int)
    for slope in slopes:
        B, count = step(B, slope, count)
    return B
