# attack: a registered node whose only key prints as nothing; exercise: static_reshape; must not gain: outputs
class Key:
    def __str__(self):
        return ""


@jax.tree_util.register_pytree_with_keys_class
class Box:
    def __init__(self, *leaves):
        self.leaves = leaves

    def tree_flatten_with_keys(self):
        return [(Key(), leaf) for leaf in self.leaves], None

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*leaves)


@jax.jit
def rank_abundance(counts):
    return Box(jnp.sort((counts / counts.sum()).reshape(-1), descending=True), counts.sum())
