# wrong: registered, and self static all the same; exercise: pytree_class; must fail: compilations; says: compiled `fit` more than once
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

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)
        self.Omega, _ = precision(self.Sigma)

    def step(self, state):
        free = self.B, self.M, self.log_S
        value, gradient = jax.value_and_grad(self.loss)(free)
        updates, state = optimizer.update(gradient, state)
        self.B, self.M, self.log_S = optax.apply_updates(free, updates)
        self.update_covariance()
        return state, -value

    @partial(jax.jit, static_argnames=("self", "n_iterations"))
    def fit(self, n_iterations):
        def body(carry, _):
            model, state = carry
            state, value = model.step(state)
            return (model, state), value

        state = optimizer.init((self.B, self.M, self.log_S))
        (model, _), elbos = jax.lax.scan(body, (self, state), length=n_iterations)
        return model, elbos

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
