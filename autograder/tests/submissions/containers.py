"""Repairs of the lesson containers, right and wrong, its starters and empty cells."""

# %% right_counts_of_samples
# right: the number of samples stays a field, for arithmetic only; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    n: int
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, len(Y), **params, Omega=Omega)


def best_Omega(pln):
    p = pln.Y.shape[1]
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / pln.n
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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% right_data_closed_over
# right: only what changes is in the tuple, and the data are variables around the body; exercise: named_tuple_carry
class PLN(NamedTuple):
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


@partial(jax.jit, static_argnames=["n_iterations"])
def fit(Y, O, X, n_iterations):
    n, p = Y.shape

    def minus_elbo(params, Omega):
        return -elbo(params, Omega, Y, O, X)

    def step(carry, nothing):
        pln, state = carry
        params = {"B": pln.B, "M": pln.M, "log_S": pln.log_S}
        value, slope = jax.value_and_grad(minus_elbo)(params, pln.Omega)
        updates, state = optimizer.update(slope, state)
        params = optax.apply_updates(params, updates)
        S2 = jnp.exp(2 * params["log_S"])
        Sigma = (params["M"].T @ params["M"] + jnp.diag(S2.sum(0))) / n
        return (PLN(**params, Omega=jnp.linalg.inv(Sigma)), state), -value

    params, Omega = start(Y, O, X)
    first = PLN(Omega=Omega, **params), optimizer.init(params)
    (last, _), elbos = jax.lax.scan(step, first, None, n_iterations)
    return last, elbos

# %% right_fori_loop
# right: fori_loop that writes into an array of ELBOs; jitted by a call; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def best_Omega(pln):
    Sigma = pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))
    return len(pln.Y) * jnp.linalg.inv(Sigma)


def run(Y, O, X, n_iterations):
    def body(i, carry):
        pln, state, elbos = carry
        free = (pln.B, pln.M, pln.log_S)
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state, free)
        free = optax.apply_updates(free, updates)
        pln = pln._replace(**dict(zip(("B", "M", "log_S"), free)))
        return pln._replace(Omega=best_Omega(pln)), state, elbos.at[i].set(-value)

    params, Omega = start(Y, O, X)
    pln = PLN(Y=Y, O=O, X=X, Omega=Omega, **params)
    state = optimizer.init((pln.B, pln.M, pln.log_S))
    carry = pln, state, jnp.zeros(n_iterations)
    pln, _, elbos = jax.lax.fori_loop(0, n_iterations, body, carry)
    return pln, elbos


fit = jax.jit(run, static_argnums=3)

# %% right_inverse
# right: no identity at all; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n = pln.Y.shape[0]
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.inv(Sigma)


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% right_list
# right: a list as the pair; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


class Fitted(NamedTuple):
    pln: PLN
    trace: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n = pln.Y.shape[0]
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.inv(Sigma)


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return [pln, trace]

# %% right_namedtuple_result
# right: the pair is a NamedTuple; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


class Fitted(NamedTuple):
    pln: PLN
    trace: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n = pln.Y.shape[0]
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.inv(Sigma)


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return Fitted(pln, trace)

# %% right_state_inside
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
    params, Omega = start(Y, O, X)
    state = optimizer.init((params["B"], params["M"], params["log_S"]))
    return PLN(Y, O, X, params["B"], params["M"], params["log_S"], Omega, state)


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

# %% right_with_methods
# right: sizes as properties, the update as a method; exercise: named_tuple_carry
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array

    @property
    def n(self):
        return self.Y.shape[0]

    @property
    def p(self):
        return self.Y.shape[1]

    def with_best_Omega(self):
        S2 = jnp.exp(2 * self.log_S)
        Sigma = (self.M.T @ self.M + jnp.diag(S2.sum(axis=0))) / self.n
        return self._replace(Omega=jnp.linalg.solve(Sigma, jnp.eye(self.p)))


@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    params, Omega = start(Y, O, X)
    pln = PLN(Y, O, X, params["B"], params["M"], params["log_S"], Omega)

    def body(carry, _):
        pln, state = carry
        value, gradient = jax.value_and_grad(loss)(pln[3:6], pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(pln[3:6], updates)
        return (pln._replace(B=B, M=M, log_S=log_S).with_best_Omega(), state), -value

    (pln, _), elbos = jax.lax.scan(body, (pln, optimizer.init(pln[3:6])), length=n_iterations)
    return pln, elbos

# %% wrong_a_dataclass
# wrong: a dataclass, no NamedTuple; exercise: named_tuple_carry; must fail: outputs; says: must stay a NamedTuple
import dataclasses


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class PLN:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
        pln = dataclasses.replace(pln, B=B, M=M, log_S=log_S)
        pln = dataclasses.replace(pln, Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos

# %% wrong_a_dictionary
# wrong: a dictionary instead; exercise: named_tuple_carry; must fail: outputs; says: your NamedTuple
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln._asdict(), trace

# %% wrong_another_tuple
# wrong: returns a NamedTuple of the four parameters, not the PLN; exercise: named_tuple_carry; must fail: outputs; says: which is no
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


class Fitted(NamedTuple):
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
    return Fitted(pln.B, pln.M, pln.log_S, pln.Omega), elbos

# %% wrong_assigns
# wrong: sizes from shapes, but fields are assigned; exercise: named_tuple_carry; must fail: outputs; says: state._replace(M=...)
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
        pln.B, pln.M, pln.log_S = B, M, log_S
        pln.Omega = best_Omega(pln)
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_chunks_of_fifty
# wrong: a scan for each chunk of fifty iterations; exercise: named_tuple_carry; must fail: compilations; says: grows
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
    traces = []
    for first in range(0, n_iterations, 50):
        carry, elbos = jax.lax.scan(body, carry, length=min(50, n_iterations - first))
        traces.append(elbos)
    return carry[0], jnp.concatenate(traces)

# %% wrong_dataclass_inside
# wrong: PLN is a dataclass, and only what is returned is a NamedTuple; exercise: named_tuple_carry; must fail: outputs; says: must stay a NamedTuple
import dataclasses


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class PLN:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


class Fitted(NamedTuple):
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
        pln = dataclasses.replace(pln, B=B, M=M, log_S=log_S)
        pln = dataclasses.replace(pln, Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return Fitted(pln.B, pln.M, pln.log_S, pln.Omega), elbos

# %% wrong_drops_the_new_one
# wrong: what _replace returns has no name; exercise: named_tuple_carry; must fail: outputs; says: result[0]['B'][
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
        pln._replace(B=B, M=M, log_S=log_S)
        pln._replace(Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_eye_of_the_oaks
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
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(114)[:p, :p])


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

# %% wrong_int_of_field
# wrong: int() of a traced field; exercise: named_tuple_carry; must fail: outputs; says: was a plain number when the container was made
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    n: int
    p: int
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, *Y.shape, **params, Omega=Omega)


def best_Omega(pln):
    n, p = pln.n, int(pln.p)
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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_ints_as_fields
# wrong: fields are replaced, sizes are still fields; exercise: named_tuple_carry; must fail: outputs; says: was a plain number when the container was made
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    n: int
    p: int
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, *Y.shape, **params, Omega=Omega)


def best_Omega(pln):
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / pln.n
    return jnp.linalg.solve(Sigma, jnp.eye(pln.p))


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_not_jitted
# wrong: the scan alone; exercise: named_tuple_carry; must fail: compilations; says: Put it inside a function decorated with @jax.jit
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(p))


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_omega_of_the_old_one
# wrong: Omega of the parameters before the update; exercise: named_tuple_carry; must fail: outputs; says: result[0]['B'][
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
        pln = pln._replace(B=B, M=M, log_S=log_S, Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_only_the_trace
# wrong: the model is lost; exercise: named_tuple_carry; must fail: outputs; says: must return two things
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return trace

# %% wrong_room_for_the_shown
# wrong: room for the 1000 iterations of the notebook; exercise: named_tuple_carry; must fail: outputs; says: fit
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(p))


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, i):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = pln._replace(B=B, M=M, log_S=log_S)
        pln = pln._replace(Omega=best_Omega(pln))
        new = pln, state
        return jax.tree.map(lambda a, b: jnp.where(i < n_iterations, a, b), new, carry), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, jnp.arange(1000))
    return pln, elbos[:n_iterations]

# %% wrong_size_written_down
# wrong: the size of the oaks; exercise: named_tuple_carry; must fail: outputs; says: Arrays of different sizes
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n = pln.Y.shape[0]
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(114))


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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_static_model
# wrong: the model is a static argument of the scan; exercise: named_tuple_carry; must fail: outputs; says: must be hashable
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(p))


@partial(jax.jit, static_argnames=("pln", "n_iterations"))
def run(pln, n_iterations):
    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = pln._replace(B=B, M=M, log_S=log_S)
        pln = pln._replace(Omega=best_Omega(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace


def fit(Y, O, X, n_iterations):
    return run(begin(Y, O, X), n_iterations)

# %% wrong_unrolled
# wrong: a Python loop under jit; exercise: named_tuple_carry; must fail: compilations; says: Write the loop as `lax.scan`
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
    trace = []
    for _ in range(n_iterations):
        carry, value = body(carry, None)
        trace.append(value)
    pln, _ = carry
    return pln, jnp.stack(trace)

# %% wrong_wrong_order
# wrong: a new PLN with two fields exchanged; exercise: named_tuple_carry; must fail: outputs; says: exactly the structure
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
        pln = PLN(pln.Y, pln.O, pln.X, M, B, log_S, pln.Omega)
        pln = pln._replace(Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_zero_start
# wrong: begins at zero and the identity, in place of the start; exercise: named_tuple_carry; must fail: outputs; says: expected
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
    return PLN(Y, O, X, B=jnp.zeros((d, p)), M=zeros, log_S=zeros, Omega=jnp.eye(p))


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
        return (pln._replace(Omega=best_Omega(pln)), state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos

# %% right_asarray_init
# right: a class by hand that makes its fields arrays of JAX; exercise: dataclass_pytree
@jax.tree_util.register_pytree_node_class
class Model:
    NAMES = ("Y", "O", "X", "B", "M", "log_S", "Omega", "rate")

    def __init__(self, *, covariance, **arrays):
        for name in self.NAMES:
            setattr(self, name, jnp.asarray(arrays[name]))
        self.covariance = covariance

    def tree_flatten(self):
        return [getattr(self, name) for name in self.NAMES], self.covariance

    @classmethod
    def tree_unflatten(cls, covariance, children):
        pln = object.__new__(cls)
        vars(pln).update(zip(cls.NAMES, children, strict=True), covariance=covariance)
        return pln

    def changed(self, **changes):
        leaves, tree = jax.tree.flatten(self)
        copy = jax.tree.unflatten(tree, leaves)
        vars(copy).update(changes)
        return copy


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = pln.changed(B=B, M=M, log_S=log_S)
        pln = pln.changed(Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos

# %% right_by_lists
# right: registered by lists of names; exercise: dataclass_pytree
ARRAYS = ["Y", "O", "X", "B", "M", "log_S", "Omega", "rate"]


@partial(register_dataclass, data_fields=ARRAYS, meta_fields=["covariance"])
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% right_keywords_only
# right: fields by keyword only, the setting first; jitted by a call; exercise: dataclass_pytree
@register_dataclass
@dataclass(frozen=True, kw_only=True)
class Model:
    covariance: str = field(metadata=dict(static=True))
    rate: float
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def _fit(model, n_iterations):
    adam = optax.adam(model.rate)

    def step(carry, _):
        model, state = carry
        free = model.B, model.M, model.log_S
        value, slope = jax.value_and_grad(loss)(free, model)
        updates, state = adam.update(slope, state)
        free = optax.apply_updates(free, updates)
        model = replace(model, **dict(zip(("B", "M", "log_S"), free)))
        return (replace(model, Omega=best_Omega_of(model)), state), -value

    free = model.B, model.M, model.log_S
    (model, _), elbos = jax.lax.scan(step, (model, adam.init(free)), None, n_iterations)
    return model, elbos


fit_model = jax.jit(_fit, static_argnums=(1,))

# %% right_not_frozen
# right: fields are assigned inside the body, where the object is its own; exercise: dataclass_pytree
@register_dataclass
@dataclass
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln.B, pln.M, pln.log_S = B, M, log_S
        pln.Omega = best_Omega_of(pln)
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% right_parameters_in_the_carry
# right: the carry has what changes, and the model is put together at the end; exercise: dataclass_pytree
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(model, n_iterations):
    optimizer = optax.adam(model.rate)

    def body(carry, _):
        free, Omega, state = carry
        value, gradient = jax.value_and_grad(loss)(free, replace(model, Omega=Omega))
        updates, state = optimizer.update(gradient, state)
        free = optax.apply_updates(free, updates)
        B, M, log_S = free
        Omega = best_Omega_of(replace(model, B=B, M=M, log_S=log_S))
        return (free, Omega, state), -value

    free = model.B, model.M, model.log_S
    carry = free, model.Omega, optimizer.init(free)
    ((B, M, log_S), Omega, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return replace(model, B=B, M=M, log_S=log_S, Omega=Omega), elbos

# %% right_register_pytree_node
# right: taken apart by hand; exercise: dataclass_pytree
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str


jax.tree_util.register_pytree_node(
    Model,
    lambda pln: (
        (pln.Y, pln.O, pln.X, pln.B, pln.M, pln.log_S, pln.Omega, pln.rate),
        pln.covariance,
    ),
    lambda covariance, arrays: Model(*arrays, covariance),
)


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% right_with_a_method
# right: a method makes the changed copy; the loop is a fori_loop; exercise: dataclass_pytree
import dataclasses


@dataclasses.dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str

    def free(self):
        return self.B, self.M, self.log_S

    def moved(self, updates):
        B, M, log_S = optax.apply_updates(self.free(), updates)
        new = dataclasses.replace(self, B=B, M=M, log_S=log_S)
        return dataclasses.replace(new, Omega=best_Omega_of(new))


register_dataclass(
    Model,
    data_fields=["Y", "O", "X", "B", "M", "log_S", "Omega", "rate"],
    meta_fields=["covariance"],
)


@partial(jax.jit, static_argnums=1)
def fit_model(model, n_iterations):
    optimizer = optax.adam(model.rate)

    def body(i, carry):
        model, state, elbos = carry
        value, gradient = jax.value_and_grad(loss)(model.free(), model)
        updates, state = optimizer.update(gradient, state)
        return model.moved(updates), state, elbos.at[i].set(-value)

    carry = model, optimizer.init(model.free()), jnp.zeros(n_iterations)
    model, _, elbos = jax.lax.fori_loop(0, n_iterations, body, carry)
    return model, elbos

# %% wrong_all_data
# wrong: registered, but the word is data too; exercise: dataclass_pytree; must fail: outputs; says: field(metadata=dict(static=True))
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_all_static
# wrong: every field is static; exercise: dataclass_pytree; must fail: outputs; says: `Omega`, `rate`: static in your `Model`. What is
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array = field(metadata={"static": True})
    O: jax.Array = field(metadata={"static": True})
    X: jax.Array = field(metadata={"static": True})
    B: jax.Array = field(metadata={"static": True})
    M: jax.Array = field(metadata={"static": True})
    log_S: jax.Array = field(metadata={"static": True})
    Omega: jax.Array = field(metadata={"static": True})
    rate: jax.Array = field(metadata={"static": True})
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_always_full
# wrong: the setting is dropped; exercise: dataclass_pytree; must fail: outputs; says: comes back with
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})

    def __post_init__(self):
        object.__setattr__(self, "covariance", "full")


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_data_static
# wrong: the data are static, the parameters not; exercise: dataclass_pytree; must fail: outputs; says: `Y`, `O`, `X`: static
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array = field(metadata={"static": True})
    O: jax.Array = field(metadata={"static": True})
    X: jax.Array = field(metadata={"static": True})
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_first_omega
# wrong: recomputes Omega before the first iteration, so that the given one is not used; exercise: dataclass_pytree; must fail: outputs; says: expected
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    pln = replace(pln, Omega=best_Omega_of(pln))
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_fits_in_place
# wrong: fit also writes the result into the model of its caller; exercise: dataclass_pytree; must fail: purity; says: changes the model
@register_dataclass
@dataclass
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fitted(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace


def fit_model(pln, n_iterations):
    new, trace = fitted(pln, n_iterations)
    pln.B, pln.M, pln.log_S, pln.Omega = new.B, new.M, new.log_S, new.Omega
    return pln, trace

# %% wrong_identity_compared
# wrong: compared by identity: each model is a new static value; exercise: dataclass_pytree; must fail: outputs; says: structure
class Settings:
    def __init__(self, covariance):
        self.covariance = covariance


@jax.tree_util.register_pytree_node_class
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str

    def tree_flatten(self):
        arrays = (self.Y, self.O, self.X, self.B, self.M, self.log_S, self.Omega, self.rate)
        return arrays, Settings(self.covariance)

    @classmethod
    def tree_unflatten(cls, settings, arrays):
        return cls(*arrays, settings.covariance)


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_model_assigns
# wrong: assigns to fields of a frozen class; exercise: dataclass_pytree; must fail: outputs; says: dataclasses.replace(state
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln.B, pln.M, pln.log_S = B, M, log_S
        pln.Omega = best_Omega_of(pln)
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_model_chunks_of_fifty
# wrong: a scan for each chunk of fifty iterations; exercise: dataclass_pytree; must fail: compilations; says: grows
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    traces = []
    for first in range(0, n_iterations, 50):
        carry, elbos = jax.lax.scan(body, carry, length=min(50, n_iterations - first))
        traces.append(elbos)
    return carry[0], jnp.concatenate(traces)

# %% wrong_model_drops_the_new_one
# wrong: what replace returns has no name; exercise: dataclass_pytree; must fail: outputs; says: expected
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        replace(pln, B=B, M=M, log_S=log_S)
        replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_model_not_jitted
# wrong: the scan alone; exercise: dataclass_pytree; must fail: compilations; says: Put it inside a function decorated with @jax.jit
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_model_room_for_the_shown
# wrong: room for the 300 iterations of the notebook; exercise: dataclass_pytree; must fail: outputs; says: fit
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, i):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        new = pln, state
        return jax.tree.map(lambda a, b: jnp.where(i < n_iterations, a, b), new, carry), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, jnp.arange(300))
    return pln, elbos[:n_iterations]

# %% wrong_model_static
# wrong: the whole object is a static argument; exercise: dataclass_pytree; must fail: outputs; says: must be hashable
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str


@partial(jax.jit, static_argnames=("pln", "n_iterations"))
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_rate_static
# wrong: the rate is static; exercise: dataclass_pytree; must fail: outputs; says: `rate`: static
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array = field(metadata={"static": True})
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% wrong_result_is_full
# wrong: the fitted model is made anew, and its covariance is the default; exercise: dataclass_pytree; must fail: outputs; says: as its `covariance`
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(default="full", metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        B, M, log_S, Omega, state = carry
        now = replace(pln, B=B, M=M, log_S=log_S, Omega=Omega)
        value, gradient = jax.value_and_grad(loss)((B, M, log_S), now)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates((B, M, log_S), updates)
        Omega = best_Omega_of(replace(now, B=B, M=M, log_S=log_S))
        return (B, M, log_S, Omega, state), -value

    free = pln.B, pln.M, pln.log_S
    carry = (*free, pln.Omega, optimizer.init(free))
    (B, M, log_S, Omega, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    data = {"Y": pln.Y, "O": pln.O, "X": pln.X, "rate": pln.rate}
    return Model(**data, B=B, M=M, log_S=log_S, Omega=Omega), trace

# %% wrong_result_without_data
# wrong: the fitted model comes back without its data and rate, and cannot be fitted again; exercise: dataclass_pytree; must fail: outputs; says: as its `Y`
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return replace(pln, Y=None, O=None, X=None, rate=None), trace

# %% wrong_returns_parameters
# wrong: the parameters without the model; exercise: dataclass_pytree; must fail: outputs; says: the `Model` after the last iteration
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return (pln.B, pln.M, pln.log_S), trace

# %% wrong_starts_anew
# wrong: each fit begins from zero, whatever B, M, log_S and Omega the model has; exercise: dataclass_pytree; must fail: outputs; says: expected
@register_dataclass
@dataclass(frozen=True)
class Model:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit_model(pln, n_iterations):
    optimizer = optax.adam(pln.rate)
    (n, p), d = pln.Y.shape, pln.X.shape[1]
    pln = replace(pln, B=jnp.zeros((d, p)), M=jnp.zeros((n, p)), log_S=jnp.zeros((n, p)))
    pln = replace(pln, Omega=jnp.eye(p))

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega_of(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace

# %% starter_named_tuple_carry
# starter: as shipped; exercise: named_tuple_carry; must fail: outputs; says: state._replace(M=...)

# %% empty_named_tuple_carry
# empty: nothing in the cell; exercise: named_tuple_carry; must fail: outputs; says: There is no function

# %% starter_dataclass_pytree
# starter: as shipped; exercise: dataclass_pytree; must fail: outputs; says: jit takes arrays and numbers, and pytrees

# %% empty_dataclass_pytree
# empty: nothing in the cell; exercise: dataclass_pytree; must fail: outputs; says: There is no function
