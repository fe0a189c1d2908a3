# right: registered with two functions; sizes as aux data; exercise: pytree_class
class PLN:
    def __init__(self, Y, O, X):
        p = Y.shape[1]
        self.Y, self.O, self.X = Y, O, X
        self.n, self.p = Y.shape
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

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(carry, _):
            model, state = carry
            state, value = model.step(state)
            return (model, state), value

        state = optimizer.init((self.B, self.M, self.log_S))
        (model, _), elbos = jax.lax.scan(body, (self, state), length=n_iterations)
        return model, elbos


NAMES = ("Y", "O", "X", "B", "M", "log_S", "Sigma", "Omega")


def flatten(model):
    return [getattr(model, name) for name in NAMES], (model.n, model.p)


def unflatten(sizes, children):
    model = object.__new__(PLN)
    model.n, model.p = sizes
    for name, child in zip(NAMES, children, strict=True):
        setattr(model, name, child)
    return model


jax.tree_util.register_pytree_node(PLN, flatten, unflatten)


pln = PLN(counts, offsets, covariates)
