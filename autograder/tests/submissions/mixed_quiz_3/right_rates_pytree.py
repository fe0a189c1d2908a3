# right: the class as a pytree; exercise: mixed_quiz_3_rates
@jax.tree_util.register_pytree_node_class
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)

    def tree_flatten(self):
        return (self.offsets,), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)
