# right: the mean is computed by a jitted helper; exercise: mixed_quiz_1_rescale
@jax.jit
def mean_total(counts):
    return counts.sum() / counts.shape[0]


@jax.jit
def rescale(counts):
    return mean_total(counts) * counts / jnp.sum(counts, axis=1)[:, None]
