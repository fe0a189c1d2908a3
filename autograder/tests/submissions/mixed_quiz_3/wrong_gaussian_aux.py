# wrong: one field as aux data; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: values
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.mean,), self.log_sd

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children, aux_data)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)
