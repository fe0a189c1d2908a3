# wrong: jit taken away; exercise: mixed_quiz_2_deviance; must fail: compilations; says: jit
def deviance(means, counts):
    safe = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(safe / means) - counts + means)
