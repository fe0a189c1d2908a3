# right: counts are integers, so at least 1 is enough; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    term = counts * jnp.log(jnp.maximum(counts, 1) / means)
    return 2 * (term - counts + means)
