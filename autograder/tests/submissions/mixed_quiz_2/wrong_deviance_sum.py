# wrong: the sum; exercise: mixed_quiz_2_deviance; must fail: outputs; says: shape
@jax.jit
def deviance(means, counts):
    safe = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(safe / means) - counts + means).sum()
