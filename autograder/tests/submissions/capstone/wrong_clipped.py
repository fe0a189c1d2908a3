# wrong: the ELBO and the jit are mended, the optimizer is the tutorial's; exercise: capstone; must fail: outputs; says: a step so long that `exp` overflows
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
