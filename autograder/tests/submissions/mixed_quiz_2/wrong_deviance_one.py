# wrong: a count of zero is taken for one; exercise: mixed_quiz_2_deviance; must fail: outputs; says: result.value
@jax.jit
def deviance(means, counts):
    counts = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(counts / means) - counts + means)
