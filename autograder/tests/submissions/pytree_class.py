"""Repairs of the lesson pytree_class, right and wrong, its starters and empty cells."""

# %% right_checks_intercept
# right: checks that X has an intercept; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        if not jnp.allclose(X[:, 0], 1):
            raise ValueError("the first covariate must be the intercept")
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_children
# right: all arrays are children; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_functions
# right: registered with two functions; sizes as aux data; exercise: pytree_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        self.n, self.p = Y.shape
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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

# %% right_keeps_optimizer_state
# right: the optimizer's state is kept in the model; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)
        self.state = optimizer.init((self.B, self.M, self.log_S))

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)
        self.Omega, _ = precision(self.Sigma)

    def step(self):
        free = self.B, self.M, self.log_S
        value, gradient = jax.value_and_grad(self.loss)(free)
        updates, self.state = optimizer.update(gradient, self.state)
        self.B, self.M, self.log_S = optax.apply_updates(free, updates)
        self.update_covariance()
        return -value

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(model, _):
            value = model.step()
            return model, value

        return jax.lax.scan(body, self, length=n_iterations)

    def tree_flatten(self):
        data = self.Y, self.O, self.X
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega, self.state), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega, model.state = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_new_model
# right: step returns a new model; fori_loop; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        begun = self, state, jnp.zeros(n_iterations)
        model, _, elbos = jax.lax.fori_loop(0, n_iterations, body, begun)
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

# %% right_omega_property
# right: Omega is a property computed from Sigma; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, _ = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.update_covariance()

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)

    @property
    def Omega(self):
        return precision(self.Sigma)[0]

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
        return (*data, self.B, self.M, self.log_S, self.Sigma), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_slots
# right: a class with slots; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    __slots__ = ("B", "M", "O", "Omega", "Sigma", "X", "Y", "log_S")

    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_validates_and_copies
# right: an __init__ that looks at the counts, and keeps copies of the data; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        if (Y < 0).any():
            raise ValueError("counts are not negative")
        self.Y, self.O, self.X = (jnp.array(a) for a in (Y, O, X))
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_validates_concrete
# right: an __init__ that looks at the counts; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        if (Y < 0).any():
            raise ValueError("counts are not negative")
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_validates_numpy
# right: an __init__ that checks the counts with NumPy; exercise: pytree_class
import numpy as np


@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        if (np.asarray(Y) < 0).any():
            raise ValueError("counts are not negative")
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% right_vars
# right: children and names from vars; exercise: pytree_class
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return tuple(vars(self).values()), tuple(vars(self))

    @classmethod
    def tree_unflatten(cls, names, children):
        model = cls.__new__(cls)
        vars(model).update(zip(names, children, strict=True))
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_checks_and_computes
# wrong: an __init__ that checks the counts, and keeps what it computes from them; exercise: pytree_class; must fail: outputs, compilations; says: Move the check of the data
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        if (Y < 0).any():
            raise ValueError("counts are not negative")
        self.Y, self.O, self.X = Y, O, X
        self.constant = jax.scipy.special.gammaln(Y + 1).sum()
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

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


# %% wrong_chunks_of_twenty
# wrong: a scan for each chunk of twenty iterations; exercise: pytree_class; must fail: compilations; says: grows
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        carry, traces = (self, state), []
        for first in range(0, n_iterations, 20):
            carry, elbos = jax.lax.scan(body, carry, length=min(20, n_iterations - first))
            traces.append(elbos)
        return carry[0], jnp.concatenate(traces)

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

# %% wrong_counts_iterations
# wrong: counts its iterations in the aux data: each fit of a fitted model is another program; exercise: pytree_class; must fail: compilations; says: compiled
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)
        self.iterations = 0

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        model.iterations += n_iterations
        return model, elbos

    def tree_flatten(self):
        data = self.Y, self.O, self.X
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), self.iterations

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        model.iterations = aux_data
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_elbos_only
# wrong: returns the ELBOs alone, as the tutorial does; exercise: pytree_class; must fail: outputs; says: return the model
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        self.__dict__.update(vars(model))
        return elbos

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

# %% wrong_eye_of_the_oaks
# wrong: a small ridge from the identity of the oaks, cut to size; exercise: pytree_class; must fail: outputs; says: shape
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        p = self.M.shape[1]
        self.Sigma = covariance(self.M, self.log_S) + 1e-7 * jnp.eye(114)[:p, :p]
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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_fits_in_place
# wrong: fit writes the result into the model that it is called on; exercise: pytree_class; must fail: purity; says: changes the model
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
    def fitted(self, n_iterations):
        def body(carry, _):
            model, state = carry
            state, value = model.step(state)
            return (model, state), value

        state = optimizer.init((self.B, self.M, self.log_S))
        (model, _), elbos = jax.lax.scan(body, (self, state), length=n_iterations)
        return model, elbos

    def fit(self, n_iterations):
        model, elbos = self.fitted(n_iterations)
        self.__dict__.update(model.__dict__)
        return self, elbos

    def tree_flatten(self):
        children = (self.Y, self.O, self.X, self.B, self.M, self.log_S, self.Sigma, self.Omega)
        return children, None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, model.B, model.M, model.log_S, *last = children
        model.Sigma, model.Omega = last
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_global_omega
# wrong: still writes to the global model; exercise: pytree_class; must fail: outputs; says: instead of `self`
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)
        pln.Omega, _ = precision(self.Sigma)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_history
# wrong: keeps a history on the class; exercise: pytree_class; must fail: purity; says: history
@jax.tree_util.register_pytree_node_class
class PLN:
    history: list = []  # noqa: RUF012

    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)
        self.Omega, _ = precision(self.Sigma)

    def step(self, state):
        free = self.B, self.M, self.log_S
        value, gradient = jax.value_and_grad(self.loss)(free)
        updates, state = optimizer.update(gradient, state)
        self.B, self.M, self.log_S = optax.apply_updates(free, updates)
        self.update_covariance()
        PLN.history.append(value)
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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_no_class_method
# wrong: tree_unflatten is no class method; exercise: pytree_class; must fail: outputs; says: put `@classmethod` above
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    def tree_unflatten(self, aux_data, children):
        model = object.__new__(PLN)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_not_jitted
# wrong: the jit of fit is gone; exercise: pytree_class; must fail: compilations; says: Put it inside a function decorated with @jax.jit
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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

# %% wrong_not_registered
# wrong: the decorator is missing; exercise: pytree_class; must fail: outputs; says: register_pytree_node_class on the class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_numpy_in_aux
# wrong: NumPy arrays as aux data; exercise: pytree_class; must fail: outputs; says: arrays into the aux data
import numpy as np


@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        data = tuple(np.asarray(a) for a in (self.Y, self.O, self.X))
        return (self.B, self.M, self.log_S, self.Sigma, self.Omega), data

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X = aux_data
        parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_omega_dropped
# wrong: data are children; Omega and Sigma are dropped; exercise: pytree_class; must fail: outputs; says: does not come back: Sigma, Omega
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, *_ = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_only_children
# wrong: tree_flatten returns the children only; exercise: pytree_class; must fail: outputs; says: must return two things
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega)

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_only_self
# wrong: only `self.` is repaired; exercise: pytree_class; must fail: outputs; says: Move them to the children
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        children = self.B, self.M, self.log_S, self.Sigma, self.Omega
        return children, (self.Y, self.O, self.X)

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        Y, O, X = aux_data
        model = cls(Y, O, X)
        model.B, model.M, model.log_S, *_ = children
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_optimizer_per_model
# wrong: each model makes its optimizer, which is aux data: another model is another program; exercise: pytree_class; must fail: compilations; says: compiled
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)
        self.optimizer = optax.adam(0.2)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)
        self.Omega, _ = precision(self.Sigma)

    def step(self, state):
        free = self.B, self.M, self.log_S
        value, gradient = jax.value_and_grad(self.loss)(free)
        updates, state = self.optimizer.update(gradient, state)
        self.B, self.M, self.log_S = optax.apply_updates(free, updates)
        self.update_covariance()
        return state, -value

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(carry, _):
            model, state = carry
            state, value = model.step(state)
            return (model, state), value

        state = self.optimizer.init((self.B, self.M, self.log_S))
        (model, _), elbos = jax.lax.scan(body, (self, state), length=n_iterations)
        return model, elbos

    def tree_flatten(self):
        data = self.Y, self.O, self.X
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), self.optimizer

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        model.optimizer = aux_data
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_registered_static_self
# wrong: registered, and self static all the same; exercise: pytree_class; must fail: compilations; says: compiled `fit` more than once
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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

# %% wrong_runs_init
# wrong: unflatten runs __init__ and sets everything after it; exercise: pytree_class; must fail: outputs; says: object.__new__(cls)
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = cls(*children[:3])
        parameters = children[3:]
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_sizes_as_children
# wrong: the number of taxa is a child and becomes a tracer; exercise: pytree_class; must fail: outputs; says: sizes must be known when compiling
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.p = Y.shape[1]
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

    def update_covariance(self):
        self.Sigma = covariance(self.M, self.log_S)
        self.Omega, _ = precision(self.Sigma + jnp.zeros((self.p, self.p)))

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega, self.p), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega, model.p = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_starts_anew
# wrong: each fit begins from the start; exercise: pytree_class; must fail: outputs; says: result.twice
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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

        self = PLN(self.Y, self.O, self.X)
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

# %% wrong_static_self
# wrong: not registered, self static; exercise: pytree_class; must fail: outputs; says: `PLN` is not a pytree
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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

# %% wrong_swapped
# wrong: Sigma and Omega change places; exercise: pytree_class; must fail: outputs; says: in the same order
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Omega, model.Sigma = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_total_in_aux
# wrong: the total of the counts, a plain number, is aux data: a program for each data set; exercise: pytree_class; must fail: compilations; says: compiled
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)
        self.total = int(Y.sum())  # a setting, no array

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), self.total

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        model.total = aux_data
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_unflatten_returns_nothing
# wrong: tree_unflatten forgets to return; exercise: pytree_class; must fail: outputs; says: `tree_unflatten` returns None
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters


pln = PLN(counts, offsets, covariates)

# %% wrong_unflatten_swapped
# wrong: tree_unflatten takes the children first; exercise: pytree_class; must fail: outputs; says: fails on what `tree_flatten` returned
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, children, aux_data):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% wrong_unrolled
# wrong: a Python loop; exercise: pytree_class; must fail: compilations; says: A loop is unrolled
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        params, self.Omega = start(Y, O, X)
        self.B, self.M, self.log_S = params["B"], params["M"], params["log_S"]
        self.Sigma = covariance(self.M, self.log_S)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        state = optimizer.init((self.B, self.M, self.log_S))
        elbos = []
        for _ in range(n_iterations):
            state, value = self.step(state)
            elbos.append(value)
        return self, jnp.stack(elbos)

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

# %% wrong_zero_start
# wrong: begins at zero and the identity; exercise: pytree_class; must fail: outputs; says: result.once
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, Y, O, X):
        self.Y, self.O, self.X = Y, O, X
        p = Y.shape[1]
        self.B = jnp.zeros((X.shape[1], p))
        self.M, self.log_S = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        self.Sigma, self.Omega = jnp.eye(p), jnp.eye(p)

    def loss(self, free):
        B, M, log_S = free
        params = {"B": B, "M": M, "log_S": log_S}
        return -elbo(params, self.Omega, self.Y, self.O, self.X)

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
        return (*data, self.B, self.M, self.log_S, self.Sigma, self.Omega), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, *parameters = children
        model.B, model.M, model.log_S, model.Sigma, model.Omega = parameters
        return model


pln = PLN(counts, offsets, covariates)

# %% starter
# starter: as shipped; exercise: pytree_class; must fail: outputs; says: arrays into the aux data: Y, O, X

# %% empty
# empty: nothing in the cell; exercise: pytree_class; must fail: outputs; says: There is no function `PLN`
