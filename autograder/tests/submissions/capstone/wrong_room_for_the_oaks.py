# wrong: room for the leaves of the oaks; exercise: capstone; must fail: outputs; says: shape
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
