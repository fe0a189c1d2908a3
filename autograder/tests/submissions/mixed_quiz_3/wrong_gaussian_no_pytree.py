# wrong: no pytree any more; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: Gaussian
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd


@jax.jit
def moments(mean, log_sd, O):
    return jnp.exp(O + mean + jnp.exp(log_sd) ** 2 / 2)


def expected_counts(q, O):
    return moments(q.mean, q.log_sd, O)
