# right: no loop; exercise: mixed_quiz_4_descend
@jax.jit
def descend(B, slopes):
    return B - (slopes / jnp.arange(1, len(slopes) + 1)[:, None]).sum(axis=0)
