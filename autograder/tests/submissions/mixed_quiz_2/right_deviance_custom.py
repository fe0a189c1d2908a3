# right: a derivative of its own; exercise: mixed_quiz_2_deviance
@jax.custom_jvp
def _deviance(means, counts):
    term = jnp.where(counts == 0, 0.0, counts * jnp.log(counts / means))
    return 2 * (term - counts + means)


@_deviance.defjvp
def _slope(primals, tangents):
    means, counts = primals
    return _deviance(means, counts), 2 * (1 - counts / means) * tangents[0]


deviance = jax.jit(_deviance)
