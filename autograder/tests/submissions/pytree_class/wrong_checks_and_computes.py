# wrong: an __init__ that checks the counts, and keeps what it computes from them; exercise: pytree_class; must fail: outputs, compilations; says: Move the check of the data
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        if (Y < 0).any():
            raise ValueError("counts are not negative")
        p = Y.shape[1]
        self.Y, self.O, self.X = Y, O, X
        self.constant = jax.scipy.special.gammaln(Y + 1).sum()
        self.B = jnp.zeros((X.shape[1], p))
        self.M, self.log_S = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        self.Sigma, self.Omega = jnp.eye(p), jnp.eye(p)

    def loss(self, free):
        B, M, log_S = free
        S2 = jnp.exp(2 * log_S)
        eta = self.O + self.X @ B + M
        spread = M.T @ M + jnp.diag(S2.sum(axis=0))
        n, p = self.Y.shape
        fits = n / 2 * jnp.linalg.slogdet(self.Omega)[1] - (spread * self.Omega).sum() / 2
        counts = (self.Y * eta - jnp.exp(eta + S2 / 2) + log_S).sum() - self.constant
        return -(fits + counts + n * p / 2)

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

    @partial(jax.jit, static_argnames="n_iterations")
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
        fitted = self.B, self.M, self.log_S, self.Sigma, self.Omega
        return (*data, *fitted, self.constant), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega, model.constant = parameters
        return model


pln = PLN(counts, offsets, covariates)
