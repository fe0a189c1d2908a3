# right: the optimizer state is a field too; a new PLN by keyword; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    state: tuple


def begin(Y, O, X):
    (n, p), d = Y.shape, X.shape[1]
    zeros, B = jnp.zeros((n, p)), jnp.zeros((d, p))
    state = optimizer.init((B, zeros, zeros))
    return PLN(Y, O, X, B, zeros, zeros, jnp.eye(p), state)


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(p))


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(pln, _):
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, pln.state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = PLN(pln.Y, pln.O, pln.X, B, M, log_S, pln.Omega, state)
        pln = pln._replace(Omega=best_Omega(pln))
        return pln, -value

    return jax.lax.scan(body, begin(Y, O, X), length=n_iterations)
