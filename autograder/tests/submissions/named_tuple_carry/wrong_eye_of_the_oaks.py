# wrong: the identity of the oaks, cut to size; exercise: named_tuple_carry; must fail: outputs; says: shape
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    (n, p), d = Y.shape, X.shape[1]
    zeros = jnp.zeros((n, p))
    return PLN(Y, O, X, B=jnp.zeros((d, p)), M=zeros, log_S=zeros, Omega=jnp.eye(114)[:p, :p])


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(p))


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = pln._replace(B=B, M=M, log_S=log_S)
        pln = pln._replace(Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos
