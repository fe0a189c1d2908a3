# right: the mean's logarithm apart from the count's; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    log_counts = jnp.where(counts > 0, jnp.log(counts), 0.0)
    return 2 * (counts * (log_counts - jnp.log(means)) - counts + means)
