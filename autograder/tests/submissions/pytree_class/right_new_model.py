# right: step returns a new model; fori_loop; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        p = Y.shape[1]
        self.Y, self.O, self.X = Y, O, X
        self.B = jnp.zeros((X.shape[1], p))
        self.M, self.log_S = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        self.Sigma, self.Omega = jnp.eye(p), jnp.eye(p)

    def loss(self, free):
        return -elbo(Parameters(*free, self.Omega), self.Y, self.O, self.X)

    def step(self, state):
        free = self.B, self.M, self.log_S
        value, gradient = jax.value_and_grad(self.loss)(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        Sigma = covariance(free[1], free[2])
        children = (self.Y, self.O, self.X, *free, Sigma, jnp.linalg.inv(Sigma))
        return self.tree_unflatten(None, children), state, -value

    def _fit(self, n_iterations):
        def body(i, carry):
            model, state, elbos = carry
            model, state, value = model.step(state)
            return model, state, elbos.at[i].set(value)

        state = optimizer.init((self.B, self.M, self.log_S))
        start = self, state, jnp.zeros(n_iterations)
        model, _, elbos = jax.lax.fori_loop(0, n_iterations, body, start)
        return model, elbos

    fit = jax.jit(_fit, static_argnums=1)

    def tree_flatten(self):
        data = self.Y, self.O, self.X
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)
