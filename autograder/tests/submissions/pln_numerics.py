"""Repairs of the lesson pln_numerics, right and wrong, its starters and empty cells."""

# %% right_adam
# right: Adam on log S; exercise: pln_numerics
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% right_fori_cholesky
# right: fori_loop, Cholesky factors, Adam with a schedule; exercise: pln_numerics
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n * jnp.sum(jnp.log(jnp.diag(jnp.linalg.cholesky(Omega))))
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(optax.cosine_decay_schedule(0.1, n_iterations), b2=0.95)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(_, carry):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state)

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    free, Omega, _ = jax.lax.fori_loop(0, n_iterations, body, carry)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% right_kit_solver
# right: the kit's own solver; exercise: pln_numerics
from plnkit.model import elbo, profile
from plnkit.solver import solve


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    latent = solve(Y, O, X, max_iterations=n_iterations).latent
    B, M, log_S, Omega = parameters = profile(latent, X)
    return B, M, jnp.exp(log_S), Omega, elbo(parameters, Y, O, X)

# %% right_many_in_axes
# right: vmap with in_axes None; exercise: pln_numerics_many
many = jax.vmap(fit.__wrapped__, in_axes=(0, 0, 0, None))
fit_many = jax.jit(many, static_argnums=3)

# %% right_many_map
# right: lax.map in place of vmap; exercise: pln_numerics_many
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.lax.map(lambda data: fit(*data, n_iterations), (Y, O, X))

# %% right_many_vmap
# right: vmap of a lambda under jit; exercise: pln_numerics_many
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations))(Y, O, X)

# %% wrong_always_400
# wrong: 400 iterations, however many are asked for; exercise: pln_numerics; must fail: outputs; says: `n_iterations` does not count
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=400)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_clipped
# wrong: the ELBO and the jit are repaired, the optimizer is the tutorial's; exercise: pln_numerics; must fail: outputs; says: fit(float32
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X):
    B, M, S = free
    n, p = Y.shape
    S2 = S**2
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + 0.5 * jnp.log(S2))
    return value + n * p / 2 - jnp.sum(gammaln(Y + 1))


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.chain(optax.scale_by_radam(), optax.scale(-1.0), optax.clip(0.1))

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        _, M, S = free
        Sigma = (M.T @ M + jnp.diag(jnp.sum(S**2, axis=0))) / M.shape[0]
        return (free, jnp.linalg.inv(Sigma), state), None

    free = start(Y, O, X)
    carry = free, jnp.eye(Y.shape[1]), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, S = free
    return B, M, S, Omega, elbo(free, Omega, Y, O, X)

# %% wrong_closed_over
# wrong: fits the oaks whatever it is given; exercise: pln_numerics; must fail: outputs; says: Pass all data as arguments
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(
            lambda free: (
                -elbo(free, Omega, counts[: Y.shape[0]], offsets[: Y.shape[0]], X, log_factorials)
            )
        )(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_determinant
# wrong: the logarithm of a determinant; exercise: pln_numerics; must fail: outputs; says: whose determinant overflows
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.log(jnp.linalg.det(Omega))
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_donates
# wrong: donates the counts; exercise: pln_numerics; must fail: purity; says: donated
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations", donate_argnames="Y")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_eager_scan
# wrong: the jit is missing; exercise: pln_numerics; must fail: compilations; says: Put the whole function under one jax.jit
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_elbo_only
# wrong: returns the ELBO alone; exercise: pln_numerics; must fail: outputs; says: must return the five arrays
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    return elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_history
# wrong: keeps a history of tracers; exercise: pln_numerics; must fail: purity; says: history
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


history = []


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        history.append(gradient)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_intercept_only
# wrong: ignores the covariates; exercise: pln_numerics; must fail: outputs; says: B has shape
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    X = X[:, :1]
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_log_deviation
# wrong: returns the logarithm of S; exercise: pln_numerics; must fail: outputs; says: not its logarithm
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, log_S, Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_loss
# wrong: returns the loss; exercise: pln_numerics; must fail: outputs; says: The sign is wrong
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, -elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_many_always_400
# wrong: 400 iterations, however many are asked for; exercise: pln_numerics_many; must fail: outputs; says: n_iterations
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, 400))(Y, O, X)

# %% wrong_many_at_most_fifty
# wrong: fifty fits at most; exercise: pln_numerics_many; must fail: outputs; says: fit_many
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    k = len(Y)
    Y, O, X = (a[jnp.minimum(jnp.arange(k), 49)] for a in (Y, O, X))
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations))(Y, O, X)

# %% wrong_many_first_only
# wrong: maps over the counts only; exercise: pln_numerics_many; must fail: outputs; says: data set 1
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda y: fit(y, O[0], X[0], n_iterations))(Y)

# %% wrong_many_jit_per_call
# wrong: a new jitted function at every call; exercise: pln_numerics_many; must fail: compilations; says: compiled again
def fit_many(Y, O, X, n_iterations):
    return jax.jit(jax.vmap(lambda y, o, x: fit(y, o, x, n_iterations)))(Y, O, X)

# %% wrong_many_last_axis
# wrong: puts the data sets last; exercise: pln_numerics_many; must fail: outputs; says: needs a leading axis
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations), out_axes=-1)(Y, O, X)

# %% wrong_many_python_loop
# wrong: a Python loop over the data sets; exercise: pln_numerics_many; must fail: compilations; says: over the data
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    fits = [fit(*data, n_iterations) for data in zip(Y, O, X, strict=True)]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *fits)

# %% wrong_many_same_covariates
# wrong: the covariates of the first data set for all; exercise: pln_numerics_many; must fail: outputs; says: data set
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O: fit(Y, O, X[0], n_iterations))(Y, O)

# %% wrong_many_traced_iterations
# wrong: the number of iterations is static in fit only; exercise: pln_numerics_many; must fail: outputs; says: static there, too
@jax.jit
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations))(Y, O, X)

# %% wrong_omega_fixed
# wrong: Omega is never updated in the loop; exercise: pln_numerics; must fail: outputs; says: Omega too
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, Omega, state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_precedence
# wrong: the trace of the tutorial; exercise: pln_numerics; must fail: outputs; says: `@` binds tighter than `+`
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace(M.T @ M + D @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_room_for_the_oaks
# wrong: room for the leaves of the oaks; exercise: pln_numerics; must fail: outputs; says: shape
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    n = len(Y)
    Y = jnp.zeros((116, Y.shape[1])).at[:n].set(Y)[:n]
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_short_of_the_oaks
# wrong: steps so short that the oaks are not reached; exercise: pln_numerics; must fail: outputs; says: can be had
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.0075)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_stirling
# wrong: Stirling for the factorials; exercise: pln_numerics; must fail: outputs; says: it is wrong for small counts
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(
        0.5 * jnp.log(2 * jnp.pi * jnp.maximum(Y, 1))
        + jnp.maximum(Y, 1) * jnp.log(jnp.maximum(Y, 1))
        - jnp.maximum(Y, 1)
    )  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_tiny_steps
# wrong: a learning rate of 1e-4; exercise: pln_numerics; must fail: outputs; says: nor tiny
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(1e-4)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_unrolled
# wrong: a scan that is written out; exercise: pln_numerics; must fail: outputs; says: unrolled loop
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations, unroll=True)
    B, M, log_S = free
    return B, M, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% wrong_whole_mean
# wrong: returns the whole latent mean; exercise: pln_numerics; must fail: outputs; says: return M without X B
from jax.scipy.special import gammaln


def elbo(free, Omega, Y, O, X, log_factorials):
    B, M, log_S = free
    n, p = Y.shape
    S2 = jnp.exp(2 * log_S)
    eta = O + X @ B + M
    D = jnp.diag(jnp.sum(S2, axis=0))
    value = n / 2 * jnp.linalg.slogdet(Omega)[1]
    value -= 0.5 * jnp.trace((M.T @ M + D) @ Omega)
    value += jnp.sum(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    return value + n * p / 2 - log_factorials


def best_precision(M, log_S):
    D = jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))
    return jnp.linalg.inv((M.T @ M + D) / M.shape[0])


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    optimizer = optax.adam(0.05)
    log_factorials = jnp.sum(gammaln(Y + 1))  # once, not in the loop

    def body(carry, _):
        free, Omega, state = carry
        gradient = jax.grad(lambda free: -elbo(free, Omega, Y, O, X, log_factorials))(free)
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        return (free, best_precision(free[1], free[2]), state), None

    B, M, S = start(Y, O, X)
    free = B, M, jnp.log(S)
    carry = free, best_precision(M, jnp.log(S)), optimizer.init(free)
    (free, Omega, _), _ = jax.lax.scan(body, carry, length=n_iterations)
    B, M, log_S = free
    return B, M + X @ B, jnp.exp(log_S), Omega, elbo(free, Omega, Y, O, X, log_factorials)

# %% starter_pln_numerics
# starter: as shipped; exercise: pln_numerics; must fail: outputs; says: log(det(Omega))

# %% starter_pln_numerics_many
# starter: as shipped; exercise: pln_numerics_many; must fail: outputs; says: vmap was requested to map its argument along axis 0

# %% empty_pln_numerics
# empty: nothing in the cell; exercise: pln_numerics; must fail: outputs; says: There is no function `fit`

# %% empty_pln_numerics_many
# empty: nothing in the cell; exercise: pln_numerics_many; must fail: outputs; says: There is no function `fit_many`
