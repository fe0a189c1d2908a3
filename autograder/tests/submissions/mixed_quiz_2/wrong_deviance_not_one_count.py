# wrong: mapped over the first axis, which one count alone does not have; exercise: mixed_quiz_2_deviance; must fail: outputs; says: vmap
def one_deviance(mean, count):
    safe = jnp.where(count == 0, 1.0, count)
    return 2 * (count * jnp.log(safe / mean) - count + mean)


@jax.jit
def deviance(means, counts):
    return jax.vmap(one_deviance)(means, counts)
