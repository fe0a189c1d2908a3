# right: one factor, at most 1; exercise: mixed_quiz_1_shorten
@jax.jit
def shorten(step, longest):
    return step * jnp.minimum(1.0, longest / jnp.linalg.norm(step.ravel()))
