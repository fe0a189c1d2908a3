# wrong: no gradient through the term; exercise: mixed_quiz_2_deviance; must fail: outputs; says: result.gradient
@jax.jit
def deviance(means, counts):
    term = jnp.where(counts == 0, 0.0, counts * jnp.log(counts / means))
    return 2 * (jax.lax.stop_gradient(term) - counts + means)
