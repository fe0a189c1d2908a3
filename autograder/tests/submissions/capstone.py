"""Repairs of the lesson capstone, right and wrong, its starters and empty cells."""

# %% right_cond_in_scan
# right: a scan whose steps after the stop do nothing; exercise: capstone
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def iterate(carry, _):
        B, last, done, iterations = carry

        def work(B):
            new_B = step(B)
            return new_B, loss(new_B)

        def rest(B):
            return B, jnp.zeros_like(last)

        B, new = lax.cond(done, rest, work, B)
        settled = (iterations > 0) & (last - new < tolerance)
        return (B, new, done | settled, iterations + ~done), new

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    carry = B, jnp.float32(0.0), jnp.array(False), jnp.int32(0)
    (B, _, _, iterations), history = lax.scan(iterate, carry, None, length=n_iterations)
    return B, history, iterations

# %% right_dictionary
# right: a dictionary as the state, and the test on the history; exercise: capstone
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    state = {
        "i": 0,
        "B": 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1])),
        "history": jnp.zeros((n_iterations,)),
    }

    def go_on(s):
        i, history = s["i"], s["history"]
        settled = (i >= 2) & (history[i - 2] - history[i - 1] < tolerance)
        return jnp.logical_and(i < n_iterations, jnp.logical_not(settled))

    def iterate(s):
        B = step(s["B"])
        return {"i": s["i"] + 1, "B": B, "history": s["history"].at[s["i"]].set(loss(B))}

    end = lax.while_loop(go_on, iterate, state)
    return end["B"], end["history"], end["i"]

# %% right_fori_frozen
# right: a fori_loop that keeps the old state once it has settled; exercise: capstone
def poisson_loss(B, Y, O, X, held_out):
    eta = O + X @ B
    return jnp.where(held_out, jnp.exp(eta) - Y * eta, 0).sum() / held_out.sum()


@partial(jax.jit, static_argnums=7)
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    n, p = Y.shape
    d = X.shape[1]
    held = jax.random.bernoulli(key_held, 0.25, (n, p))
    Y = jnp.where(mask, Y, 0)
    train, test = mask & ~held, mask & held

    def body(i, carry):
        B, history, used, done = carry
        mu = train * jnp.exp(O + X @ B)
        slope = X.T @ (train * Y - mu) - ridge * B
        new_B = B + jnp.clip(0.5 * slope / ((X * X).T @ mu + ridge), -1.0, 1.0)
        value = poisson_loss(new_B, Y, O, X, test)
        small = jnp.where(i == 0, False, history[i - 1] - value < tolerance)
        new = (new_B, history.at[i].set(value), used + 1, small)
        return jax.tree.map(lambda old, fresh: jnp.where(done, old, fresh), carry, new)

    carry = 0.1 * jax.random.normal(key_B, (d, p)), jnp.zeros(n_iterations), 0, False
    B, history, used, _ = lax.fori_loop(0, n_iterations, body, carry)
    return B, history, used

# %% right_gradient
# right: the slope by jax.grad of the masked loss; exercise: capstone
from typing import NamedTuple


class State(NamedTuple):
    B: jax.Array
    history: jax.Array
    i: jax.Array
    fall: jax.Array


class Fit(NamedTuple):
    B: jax.Array
    history: jax.Array
    iterations: jax.Array


def total_loss(B, Y, O, X, which):
    eta = O + X @ B
    return jnp.sum(jnp.where(which, jnp.exp(eta) - Y * eta, 0.0))


@partial(jax.jit, static_argnames=["n_iterations"])
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    Y = jnp.where(mask, Y, 0.0)
    key_B, key_held = jax.random.split(key, 2)
    held = jax.random.bernoulli(key_held, p=0.25, shape=Y.shape)

    def iterate(state):
        B, i = state.B, state.i
        gradient = jax.grad(total_loss)(B, Y, O, X, mask & ~held) + ridge * B
        curvature = jnp.square(X).T @ ((mask & ~held) * jnp.exp(O + X @ B)) + ridge
        B = B - jnp.clip(gradient / (2 * curvature), -1, 1)
        value = total_loss(B, Y, O, X, mask & held) / jnp.sum(mask & held)
        fall = jnp.where(i == 0, jnp.inf, state.history[i - 1] - value)
        return State(B, state.history.at[i].set(value), i + 1, fall)

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    first = State(B, jnp.zeros(n_iterations), jnp.array(0), jnp.array(jnp.inf))
    last = lax.while_loop(lambda s: (s.i < n_iterations) & ~(s.fall < tolerance), iterate, first)
    return Fit(last.B, last.history, last.i)

# %% right_local_object
# right: a small class of its own, made anew within the call; exercise: capstone
class Regression:
    def __init__(self, Y, O, X, mask, held, ridge):
        self.Y, self.O, self.X, self.ridge = jnp.where(mask, Y, 0.0), O, X, ridge
        self.fitted, self.held_out = mask & ~held, mask & held

    def step(self, B):
        expected = jnp.where(self.fitted, jnp.exp(self.O + self.X @ B), 0.0)
        slope = self.X.T @ (jnp.where(self.fitted, self.Y, 0.0) - expected) - self.ridge * B
        return B + jnp.clip(0.5 * slope / ((self.X**2).T @ expected + self.ridge), -1, 1)

    def loss(self, B):
        eta = self.O + self.X @ B
        losses = jnp.where(self.held_out, jnp.exp(eta) - self.Y * eta, 0.0)
        return losses.sum() / self.held_out.sum()


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    model = Regression(Y, O, X, mask, held, ridge)

    def go_on(state):
        _, _, previous, last, i = state
        return (i < n_iterations) & ((i < 2) | (previous - last >= tolerance))

    def iterate(state):
        B, history, _, last, i = state
        B = model.step(B)
        value = model.loss(B)
        return B, history.at[i].set(value), last, value, i + 1

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    start = B, jnp.zeros(n_iterations), 0.0, 0.0, 0
    B, history, _, _, i = lax.while_loop(go_on, iterate, start)
    return B, history, i

# %% right_helpers_jitted
# right: step and loss are jitted functions too; exercise: capstone
@jax.jit
def step(B, Y, O, X, fitted, ridge):
    expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
    slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
    return B + jnp.clip(0.5 * slope / (jnp.square(X).T @ expected + ridge), -1, 1)


@jax.jit
def loss(B, Y, O, X, held_out):
    eta = O + X @ B
    return jnp.mean(jnp.exp(eta) - jnp.where(held_out, Y, 0.0) * eta, where=held_out)


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)

    def iterate(state):
        B, history, i, _ = state
        B = step(B, Y, O, X, mask & ~held, ridge)
        history = history.at[i].set(loss(B, Y, O, X, mask & held))
        settled = (i > 0) & (history[i - 1] - history[i] < tolerance)
        return B, history, i + 1, settled | (i + 1 == n_iterations)

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, False
    return lax.while_loop(lambda state: ~state[3], iterate, state)[:3]

# %% right_scan_where
# right: a scan to the end, whose results are masked; exercise: capstone
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def iterate(carry, _):
        B, last, going, made = carry
        new_B = step(B)
        new = loss(new_B)
        B = jnp.where(going, new_B, B)
        recorded = jnp.where(going, new, 0.0)
        made = made + going.astype(jnp.int32)
        falls = last - new >= tolerance
        return (B, new, going & falls, made), recorded

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    carry = B, jnp.array(jnp.inf), jnp.array(True), jnp.array(0)
    (B, _, _, made), history = lax.scan(iterate, carry, length=n_iterations)
    return B, history, made

# %% right_uniform_held
# right: held out by uniform numbers; weights in place of masks; exercise: capstone
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    keys = jax.random.split(key)
    held = jax.random.uniform(keys[1], Y.shape) < 0.25
    seen = jnp.nan_to_num(jnp.where(mask, Y, 0.0))
    weights = jnp.where(held, 0.0, 1.0) * mask
    test = jnp.where(held, 1.0, 0.0) * mask

    def iterate(state):
        B, history, i, _ = state
        mu = weights * jnp.exp(O + X @ B)
        slope = jnp.einsum("nd,np->dp", X, weights * seen - mu) - ridge * B
        curvature = jnp.einsum("nd,np->dp", X**2, mu) + ridge
        B = B + jnp.clip(0.5 * slope / curvature, min=-1, max=1)
        eta = O + X @ B
        value = jnp.average(jnp.exp(eta) - seen * eta, weights=test)
        return B, history.at[i].set(value), i + 1, jnp.where(i, history[i - 1] - value, jnp.inf)

    B = jax.random.normal(keys[0], (X.shape[1], Y.shape[1])) * 0.1
    state = (B, jnp.zeros(n_iterations), 0, jnp.inf)
    return lax.while_loop(lambda s: (s[2] < n_iterations) & (s[3] >= tolerance), iterate, state)[:3]


fit = jax.jit(fit, static_argnames="n_iterations")

# %% right_vmap_taxa
# right: vmap over the taxa, as the class loops over them; exercise: capstone
def step_taxon(b, y, o, rows, X, ridge):
    expected = jnp.where(rows, jnp.exp(o + X @ b), 0.0)
    slope = X.T @ (jnp.where(rows, y, 0.0) - expected) - ridge * b
    curvature = (X**2).T @ expected + ridge
    return b + jnp.clip(0.5 * slope / curvature, -1, 1)


def loss_taxon(b, y, o, rows, X):
    eta = o + X @ b
    return jnp.sum(jnp.where(rows, jnp.exp(eta) - jnp.where(rows, y, 0.0) * eta, 0.0))


@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    step = jax.vmap(step_taxon, in_axes=(1, 1, 1, 1, None, None), out_axes=1)
    losses = jax.vmap(loss_taxon, in_axes=(1, 1, 1, 1, None))

    def iterate(state):
        B, history, i, settled = state
        B = step(B, Y, O, mask & ~held, X, ridge)
        value = losses(B, Y, O, mask & held, X).sum() / (mask & held).sum()
        settled = jnp.logical_and(i >= 1, history[i - 1] - value < tolerance)
        return B, history.at[i].set(value), i + 1, settled

    def go_on(state):
        return jnp.logical_and(state[2] < n_iterations, jnp.logical_not(state[3]))

    state = (B, jnp.zeros(n_iterations), 0, False)
    B, history, i, _ = lax.while_loop(go_on, iterate, state)
    return B, history, i

# %% right_while_previous
# right: the last two losses in the state; exercise: capstone
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        i, _, previous, last, _ = state
        return (i < n_iterations) & ~((i > 1) & (previous - last < tolerance))

    def iterate(state):
        i, B, _, last, history = state
        B = step(B)
        value = loss(B)
        history = lax.dynamic_update_slice(history, value[None], (i,))
        return i + 1, B, last, value, history

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = 0, B, jnp.inf, jnp.inf, jnp.zeros(n_iterations)
    iterations, B, _, _, history = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_B_goes_on
# wrong: a scan that stops the history, but not B; exercise: capstone; must fail: outputs; says: must be that of the last loss
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def iterate(carry, _):
        B, last, going, made = carry
        B = step(B)
        new = loss(B)
        recorded = jnp.where(going, new, 0.0)
        return (B, new, going & (last - new >= tolerance), made + going), recorded

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    carry = B, jnp.array(jnp.inf), jnp.array(True), jnp.array(0)
    (B, _, _, made), history = lax.scan(iterate, carry, length=n_iterations)
    return B, history, made

# %% wrong_absolute_fall
# wrong: stops where the loss changes little, up or down; exercise: capstone; must fail: outputs; says: It must stop there
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (jnp.abs(fall) >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_all_settings_static
# wrong: all settings are static; exercise: capstone; must fail: compilations; says: ridge
@partial(jax.jit, static_argnames=("ridge", "tolerance", "n_iterations"))
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_boolean_indexing
# wrong: rows are chosen by a boolean index; exercise: capstone; must fail: outputs; says: boolean
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = (O + X @ B)[held_out]
        return jnp.mean(jnp.exp(eta) - Y[held_out] * eta)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_closed_over
# wrong: the counts of the notebook, not the argument; exercise: capstone; must fail: outputs; says: a variable of the notebook
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, counts, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_counts_iterations_as_float
# wrong: the number of iterations is a float; exercise: capstone; must fail: outputs; says: must be one integer
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, made, _ = state
        i = made.astype(int)
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), made + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0.0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_debug_print
# wrong: prints by a callback; exercise: capstone; must fail: purity; says: print
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        jax.debug.print("iteration {}: loss {}", i, new)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_fixed_key
# wrong: a key of its own; exercise: capstone; must fail: outputs; says: history[0]
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(jax.random.key(0))
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_held_out_is_fitted
# wrong: the held-out counts are fitted as well; exercise: capstone; must fail: outputs; says: leave them out of the step
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_history_of_tracers
# wrong: a list in the body of the loop; exercise: capstone; must fail: outputs; says: is a tracer
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    history = []

    def go_on(state):
        _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, i, _ = state
        B = step(B)
        history.append(loss(B))
        fall = history[-2] - history[-1] if len(history) > 1 else jnp.inf
        return B, i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    B, iterations, _ = lax.while_loop(go_on, iterate, (B, 0, jnp.inf))
    return B, jnp.stack(history), iterations

# %% wrong_history_in_the_carry
# wrong: a list that grows, in the state of the loop; exercise: capstone; must fail: outputs; says: The carry that leaves
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = history[-1] - new if history else jnp.inf
        return B, [*history, new], i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, [], 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, jnp.stack(history), iterations

# %% wrong_jit_at_each_call
# wrong: a new jitted function at each call; exercise: capstone; must fail: compilations; says: compiled again
def compute(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations


def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    program = jax.jit(lambda *traced: compute(*traced, n_iterations))
    return program(Y, O, X, mask, key, ridge, tolerance)

# %% wrong_keeps_the_last_loss
# wrong: leaves the history of tracers on a global model; exercise: capstone; must fail: purity; says: model
model = PoissonRegression()


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    model.fitted, model.held_out = fitted, held_out

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_logs_to_a_list
# wrong: appends the results to a global history; exercise: capstone; must fail: purity; says: fits
fits = []


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    fits.append(history)
    return B, history, iterations

# %% wrong_loss_before_the_step
# wrong: records the loss before the step; exercise: capstone; must fail: outputs; says: is the loss after it
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        new = loss(B)
        B = step(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_mask_multiplied
# wrong: multiplies by weights; exercise: capstone; must fail: outputs; says: NaN times zero is NaN
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask * (1.0 - held), mask * (0.0 + held)

    def step(B):
        expected = jnp.exp(O + X @ B)
        slope = X.T @ (fitted * (Y - expected)) - ridge * B
        curvature = (X**2).T @ (fitted * expected) + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(held_out * (jnp.exp(eta) - Y * eta)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_missing_are_held_out
# wrong: missing counts are held out as zeros; exercise: capstone; must fail: outputs; says: the loss is that of counts
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_missing_are_zero
# wrong: missing counts are fitted as zeros; exercise: capstone; must fail: outputs; says: must not enter
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_never_stops
# wrong: a scan of all iterations; exercise: capstone; must fail: outputs; says: It must stop there
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def iterate(B, _):
        B = step(B)
        return B, loss(B)

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    B, history = lax.scan(iterate, B, length=n_iterations)
    return B, history, n_iterations

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: capstone; must fail: compilations; says: Put the whole function under one jax.jit
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_numpy_random
# wrong: NumPy's random numbers; exercise: capstone; must fail: outputs, purity; says: history[0]
rng = np.random.default_rng(0)


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    held = rng.uniform(size=Y.shape) < 0.25
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = jnp.asarray(0.1 * rng.normal(size=(X.shape[1], Y.shape[1])), Y.dtype)
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_one_key
# wrong: both draws with the key itself; exercise: capstone; must fail: outputs; says: each draw needs a key of its own
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    held = jax.random.bernoulli(key, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_other_quarter
# wrong: fits the quarter, and holds out the rest; exercise: capstone; must fail: outputs; says: the other three quarters
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & held, mask & ~held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_padded_with_nan
# wrong: NaN after the last loss; exercise: capstone; must fail: outputs; says: must be zero
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.full(n_iterations, jnp.nan), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_padded_with_the_last
# wrong: the last loss again and again; exercise: capstone; must fail: outputs; says: must be zero
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    last = history[iterations - 1]
    history = jnp.where(jnp.arange(n_iterations) < iterations, history, last)
    return B, history, iterations

# %% wrong_python_break
# wrong: if and break in a Python loop; exercise: capstone; must fail: outputs; says: this value is a tracer
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    history = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        B = step(B)
        history = history.at[i].set(loss(B))
        if i > 0 and history[i - 1] - history[i] < tolerance:
            break
    return B, history, i + 1

# %% wrong_print_kept
# wrong: the print of the class; exercise: capstone; must fail: purity; says: print
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        print(f"iteration {i}: loss {new}")
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_results_in_a_dictionary
# wrong: the results by name; exercise: capstone; must fail: outputs; says: [0]
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return {"B": B, "history": history, "iterations": iterations}

# %% wrong_settled_at_the_start
# wrong: compares the first loss with that before any step; exercise: capstone; must fail: outputs; says: it makes two iterations at least
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        last = loss(B)
        B = step(B)
        new = loss(B)
        fall = last - new
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_slice_of_the_history
# wrong: returns as many losses as were made; exercise: capstone; must fail: outputs; says: whose length depends on data
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history[:iterations], iterations

# %% wrong_state_on_self
# wrong: a jitted method that keeps its results on self; exercise: capstone; must fail: purity; says: a tracer is left in
class Regression(PoissonRegression):
    def run(self, Y, O, X, mask, key):
        key_B, key_held = jax.random.split(key)
        held = jax.random.bernoulli(key_held, 0.25, Y.shape)
        self.Y, self.O, self.X = jnp.where(mask, Y, 0.0), O, X
        self.fitted, self.held_out = mask & ~held, mask & held
        self.B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
        state = self.B, jnp.zeros(self.n_iterations), 0, jnp.inf
        self.B, self.history, i, _ = lax.while_loop(self.go_on, self.iterate, state)
        return self.B, self.history, i

    def go_on(self, state):
        return (state[2] < self.n_iterations) & (state[3] >= self.tolerance)

    def iterate(self, state):
        B, history, i, _ = state
        expected = jnp.where(self.fitted, jnp.exp(self.O + self.X @ B), 0.0)
        slope = self.X.T @ (jnp.where(self.fitted, self.Y, 0.0) - expected) - self.ridge * B
        B = B + jnp.clip(0.5 * slope / ((self.X**2).T @ expected + self.ridge), -1, 1)
        eta = self.O + self.X @ B
        losses = jnp.where(self.held_out, jnp.exp(eta) - self.Y * eta, 0.0)
        new = losses.sum() / self.held_out.sum()
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall


regression = Regression()


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    regression.ridge, regression.tolerance = ridge, tolerance
    regression.n_iterations = n_iterations
    return regression.run(Y, O, X, mask, key)

# %% wrong_step_jitted_only
# wrong: a Python loop over a jitted step; exercise: capstone; must fail: compilations; says: Put the whole function under one jax.jit
@jax.jit
def iterate(B, Y, O, X, mask, held, ridge):
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)
    expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
    slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
    B = B + jnp.clip(0.5 * slope / ((X**2).T @ expected + ridge), -1, 1)
    eta = O + X @ B
    return B, jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)


def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    history = np.zeros(n_iterations, np.float32)
    for i in range(n_iterations):
        B, loss = iterate(B, Y, O, X, mask, held, ridge)
        history[i] = loss
        if i > 0 and history[i - 1] - history[i] < tolerance:
            break
    return B, jnp.asarray(history), i + 1

# %% wrong_stops_one_late
# wrong: looks at the fall before the last one; exercise: capstone; must fail: outputs; says: It must stop there
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, history, i = state
        settled = (i > 2) & (history[i - 3] - history[i - 2] < tolerance)
        return (i < n_iterations) & ~settled

    def iterate(state):
        B, history, i = state
        B = step(B)
        return B, history.at[i].set(loss(B)), i + 1

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    return lax.while_loop(go_on, iterate, (B, jnp.zeros(n_iterations), 0))

# %% wrong_summed_loss
# wrong: the sum of the losses, not their mean; exercise: capstone; must fail: outputs; says: That is the sum of the losses
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0))

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_swapped_keys
# wrong: the two keys in the other order; exercise: capstone; must fail: outputs; says: in the other order
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_held, key_B = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_tolerance_static
# wrong: the tolerance is static; exercise: capstone; must fail: compilations; says: tolerance
@partial(jax.jit, static_argnames=("tolerance", "n_iterations"))
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_tolerance_of_the_class
# wrong: the tolerance that the class has by default; exercise: capstone; must fail: outputs; says: tolerance
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= 0.01)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_traced_iterations
# wrong: nothing is static; exercise: capstone; must fail: outputs; says: n_iterations
@jax.jit
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations

# %% wrong_unrolled
# wrong: a Python loop, masked after the stop; exercise: capstone; must fail: outputs; says: unrolled
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    history, going, made, last = [], True, 0, jnp.inf
    for _ in range(n_iterations):
        new_B = step(B)
        new = loss(new_B)
        B = jnp.where(going, new_B, B)
        history.append(jnp.where(going, new, 0.0))
        made = made + jnp.where(going, 1, 0)
        going = going & (last - new >= tolerance)
        last = new
    return B, jnp.stack(history), made

# %% starter_capstone
# starter: as shipped; exercise: capstone; must fail: outputs; says: boolean

# %% empty_capstone
# empty: nothing in the cell; exercise: capstone; must fail: outputs; says: There is no function `fit`
