# right: unflatten takes them in the order of flatten; exercise: mixed_quiz_3_gaussian
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.log_sd, self.mean), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        log_sd, mean = children
        return cls(mean, log_sd)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)
