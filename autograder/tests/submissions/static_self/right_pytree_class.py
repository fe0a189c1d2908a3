# right: registered with tree_flatten; exercise: static_self
@jax.tree_util.register_pytree_node_class
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def tree_flatten(self):
        return (self.Y, self.O, self.X, self.B, self.ridge), self.penalized

    @classmethod
    def tree_unflatten(cls, penalized, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, model.B, model.ridge = children
        model.penalized = penalized
        return model

    def set(self, **changes):
        return Poisson(**{**vars(self), **changes})

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])
