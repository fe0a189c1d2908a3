# wrong: NaN replaced after the formula; exercise: mixed_quiz_2_deviance; must fail: outputs; says: nan
@jax.jit
def deviance(means, counts):
    term = jnp.nan_to_num(counts * jnp.log(counts / means))
    return 2 * (term - counts + means)
