# wrong: tree_unflatten takes the children in another order; exercise: static_self; must fail: outputs; says: comes back with another `B`
@jax.tree_util.register_pytree_node_class
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B, self.ridge, self.penalized = Y, O, X, B, ridge, penalized

    def tree_flatten(self):
        return (self.Y, self.O, self.X, self.ridge, self.B), self.penalized

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux)

    def set(self, **changes):
        return Poisson(**{**vars(self), **changes})

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=1)
    def fit(self, n_iterations):
        B, _ = jax.lax.scan(
            lambda B, _: (newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), ()),
            self.B,
            None,
            n_iterations,
        )
        return self.set(B=B)
