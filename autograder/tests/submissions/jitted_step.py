"""Repairs of the lesson jitted_step, right and wrong, its starters and empty cells."""

# %% right_data_as_a_tuple
# right: the loss takes the data as one tuple, jit applied afterwards; exercise: jitted_step
def loss(params, Omega, data):
    Y, O, X = data
    return -elbo(params, Omega, Y, O, X)


def one_step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss, argnums=0)(params, Omega, (Y, O, X))
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value


step = jax.jit(one_step)

# %% right_fit_deep_copy
# right: a copy of the tree, and set by .at; exercise: jitted_step_fit
def fit(params, Y, O, X, n_iterations):
    theta = jax.tree.map(jnp.copy, params)
    carried = theta, best_Omega(theta), optimizer.init(theta)
    history = jnp.full((n_iterations,), jnp.nan)
    for k in range(n_iterations):
        *carried, value = step(*carried, Y, O, X)
        history = history.at[k].add(jnp.nan_to_num(value) - history[k], mode="drop")
        history = history.at[k].set(value)
    return carried[0], history

# %% right_fit_float_list
# right: a list of Python floats, as a NumPy array; exercise: jitted_step_fit
import numpy as np


def fit(params, Y, O, X, n_iterations):
    new, Omega, state = params, best_Omega(params), optimizer.init(params)
    kept = []
    for _ in range(n_iterations):
        new, Omega, state, value = step(new, Omega, state, Y, O, X)
        kept.append(float(value))
    return new, np.asarray(kept, dtype=np.float32)

# %% right_fit_fori_loop
# right: a fori_loop in a jitted fit; exercise: jitted_step_fit
from functools import partial


@partial(jax.jit, static_argnums=4)
def fit(params, Y, O, X, n_iterations):
    def one(i, carry):
        params, Omega, state, elbos = carry
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        return params, Omega, state, elbos.at[i].set(value)

    carry = params, best_Omega(params), optimizer.init(params), jnp.zeros(n_iterations)
    params, _, _, elbos = jax.lax.fori_loop(0, n_iterations, one, carry)
    return params, elbos

# %% right_fit_list
# right: a list of values, stacked at the end; exercise: jitted_step_fit
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = []
    for _ in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        trace.append(value)
    return params, jnp.stack(trace)

# %% right_fit_numpy_trace
# right: the trace in NumPy: waits at every step; exercise: jitted_step_fit
import numpy as np


def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = np.zeros(n_iterations, np.float32)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        trace[i] = value
    return params, trace

# %% right_fit_own_dictionary
# right: updates a dictionary of its own; exercise: jitted_step_fit
def fit(params, Y, O, X, n_iterations):
    params = dict(params)
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = []
    while len(elbos) < n_iterations:
        new, Omega, state, value = step(params, Omega, state, Y, O, X)
        params.update(new)
        elbos.append(value)
    return params, jnp.array(elbos)

# %% right_fit_pieces
# right: the tutorial's jitted pieces, made once; exercise: jitted_step_fit
value_and_gradient = jax.jit(jax.value_and_grad(lambda q, *data: -elbo(q, *data)))
update, apply_updates = jax.jit(optimizer.update), jax.jit(optax.apply_updates)
jitted_Omega = jax.jit(best_Omega)


def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        value, gradient = value_and_gradient(params, Omega, Y, O, X)
        updates, state = update(gradient, state)
        params = apply_updates(params, updates)
        Omega = jitted_Omega(params)
        trace = trace.at[i].set(-value)
    return params, trace

# %% right_fit_scan
# right: already a scan; exercise: jitted_step_fit
@jax.jit(static_argnames="n_iterations")
def fit(params, Y, O, X, n_iterations):
    def body(carry, _):
        *carry, value = step(*carry, Y, O, X)
        return tuple(carry), value

    carry = params, best_Omega(params), optimizer.init(params)
    (params, _, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, trace

# %% right_grad_and_value_apart
# right: the gradient and the ELBO in two calls; exercise: jitted_step
@jax.jit
def step(params, Omega, state, Y, O, X):
    before = elbo(params, Omega, Y, O, X)
    gradient = jax.grad(lambda *all: -elbo(*all))(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, before

# %% right_grad_of_elbo
# right: the gradient of the ELBO itself, turned around; exercise: jitted_step
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(elbo, argnums=0)(params, Omega, Y, O, X)
    downhill = jax.tree.map(jnp.negative, gradient)
    updates, state = optimizer.update(downhill, state)
    params = jax.tree.map(jnp.add, params, updates)
    return params, best_Omega(params), state, value

# %% right_jitted_helpers
# right: its helpers are jitted too; exercise: jitted_step
loss_and_gradient = jax.jit(jax.value_and_grad(lambda q, Omega, Y, O, X: -elbo(q, Omega, Y, O, X)))
jitted_Omega = jax.jit(best_Omega)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = loss_and_gradient(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, jitted_Omega(params), state, -value

# %% right_loss_inside
# right: a loss of the parameters alone, made inside of the step; exercise: jitted_step
@jax.jit
def step(params, Omega, state, Y, O, X):
    def loss(q):
        return -elbo(q, Omega, Y, O, X)

    value, slope = jax.value_and_grad(loss)(params)
    change, new_state = optimizer.update(slope, state)
    new = {name: params[name] + change[name] for name in params}
    return new, best_Omega(new), new_state, -value

# %% right_loss_of_the_course
# right: the loss that the course has; exercise: jitted_step
from plnkit.course import loss


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% right_vjp
# right: pulls back by hand; exercise: jitted_step
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, pull = jax.vjp(lambda q: elbo(q, Omega, Y, O, X), params)
    (gradient,) = pull(-jnp.ones_like(value))
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, value

# %% wrong_closes_over_offsets
# wrong: counts are passed, offsets and covariates are not; exercise: jitted_step; must fail: outputs; says: variable of the notebook
def loss(params, Omega, Y):
    return -elbo(params, Omega, Y, offsets, covariates)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% wrong_drops_a_part
# wrong: the state without its empty part, which the next call needs; exercise: jitted_step; must fail: outputs; says: a tuple of a ScaleByAdamState, and the argument
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(elbo, argnums=0)(params, Omega, Y, O, X)
    updates, state = optimizer.update(jax.tree.map(jnp.negative, gradient), state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state[:1], value

# %% wrong_elbo_of_the_new
# wrong: the ELBO after the step; exercise: jitted_step; must fail: outputs; says: expected
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    gradient = jax.grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    Omega = best_Omega(params)
    return params, Omega, state, elbo(params, Omega, Y, O, X)

# %% wrong_fit_drops_the_array
# wrong: the new array has no name; exercise: jitted_step_fit; must fail: outputs; says: leaves x as it is
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        trace.at[i].set(value)
    return params, trace

# %% wrong_fit_eager_scan
# wrong: a scan outside of jit; exercise: jitted_step_fit; must fail: compilations; says: called outside jit with a new function object
def fit(params, Y, O, X, n_iterations):
    def one(carry, _):
        params, Omega, state, value = step(*carry, Y, O, X)
        return (params, Omega, state), value

    carry = params, best_Omega(params), optimizer.init(params)
    carry, elbos = jax.lax.scan(one, carry, None, n_iterations)
    return carry[0], elbos

# %% wrong_fit_eager_step
# wrong: the step as it was before jit; exercise: jitted_step_fit; must fail: compilations; says: Nothing was compiled from a function of yours
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step.__wrapped__(params, Omega, state, Y, O, X)
        trace = trace.at[i].set(value)
    return params, trace

# %% wrong_fit_first_omega
# wrong: every step begins from the first Omega; exercise: jitted_step_fit; must fail: outputs; says: expected
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, _, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos

# %% wrong_fit_from_the_oaks
# wrong: looks at the oaks, and not at its arguments; exercise: jitted_step_fit; must fail: outputs; says: fit
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, counts, offsets, covariates)
        elbos = elbos.at[i].set(value)
    return params, elbos

# %% wrong_fit_global_history
# wrong: the ELBOs are kept in a list of the notebook; exercise: jitted_step_fit; must fail: purity; says: history
history = []


def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    for _ in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        history.append(value)
    return params, jnp.stack(history[-n_iterations:])

# %% wrong_fit_jit_in_loop
# wrong: a new jitted function at each call; exercise: jitted_step_fit; must fail: compilations; says: it is a new function object each time
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    one = jax.jit(lambda *carry: step.__wrapped__(*carry, Y, O, X))
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = one(params, Omega, state)
        trace = trace.at[i].set(value)
    return params, trace

# %% wrong_fit_one_late
# wrong: the first ELBO is left out, and the last entry stays zero; exercise: jitted_step_fit; must fail: outputs; says: expected
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i - 1].set(value)
    return params, elbos

# %% wrong_fit_python_list
# wrong: a list in the place of an array; exercise: jitted_step_fit; must fail: outputs; says: expected one array
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = []
    for _ in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos.append(value)
    return params, elbos

# %% wrong_fit_room_for_the_shown
# wrong: room for the 300 iterations of the notebook; exercise: jitted_step_fit; must fail: outputs; says: shape
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = jnp.zeros(300)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos[:n_iterations]

# %% wrong_fit_state_anew
# wrong: the optimizer's state is dropped; exercise: jitted_step_fit; must fail: outputs; says: expected
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, _, value = step(params, Omega, optimizer.init(params), Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos

# %% wrong_fit_static_step
# wrong: a step compiled for each iteration; exercise: jitted_step_fit; must fail: compilations; says: static value is part of the program
from functools import partial


@partial(jax.jit, static_argnums=0)
def numbered_step(i, *arguments):
    return step(*arguments)


def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = numbered_step(i, params, Omega, state, Y, O, X)
        trace = trace.at[i].set(value)
    return params, trace

# %% wrong_fit_updates_caller
# wrong: the caller's dictionary changes; exercise: jitted_step_fit; must fail: purity; says: Copy first
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        new, Omega, state, value = step(params, Omega, state, Y, O, X)
        params.update(new)
        trace = trace.at[i].set(value)
    return params, trace

# %% wrong_gradient_of_all
# wrong: the gradient with respect to Omega too; exercise: jitted_step; must fail: outputs; says: structure
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss, argnums=(0, 1))(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% wrong_history
# wrong: keeps the ELBOs in a global list; exercise: jitted_step; must fail: purity; says: history
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


history = []


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    history.append(value)
    return params, best_Omega(params), state, -value

# %% wrong_jit_inside
# wrong: a new jitted function at each call; exercise: jitted_step; must fail: compilations; says: it is a new function object each time
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


def step(params, Omega, state, Y, O, X):
    @jax.jit
    def inner(params, Omega, state, Y, O, X):
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state, params)
        params = optax.apply_updates(params, updates)
        return params, best_Omega(params), state, -value

    return inner(params, Omega, state, Y, O, X)

# %% wrong_no_jit
# wrong: not jitted any more; exercise: jitted_step; must fail: compilations; says: under one jax.jit
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% wrong_omega_of_the_old
# wrong: the best Omega for the parameters that came in; exercise: jitted_step; must fail: outputs; says: expected
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    return optax.apply_updates(params, updates), best_Omega(params), state, -value

# %% wrong_returns_loss
# wrong: returns minus the ELBO; exercise: jitted_step; must fail: outputs; says: The sign is wrong everywhere
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, value

# %% wrong_room_for_the_oaks
# wrong: the data are filled up to the size of the oaks; exercise: jitted_step; must fail: outputs; says: different sizes
@jax.jit
def step(params, Omega, state, Y, O, X):
    def filled(x):
        return jnp.zeros((116, x.shape[1])).at[: len(x)].set(x)

    def loss(params):
        n = len(Y)
        return -elbo(params, Omega, filled(Y)[:n], filled(O)[:n], filled(X)[:n])

    value, gradient = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(gradient, state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% wrong_sets_globals
# wrong: writes the data to globals, so that the loss finds them; exercise: jitted_step; must fail: purity; says: a tracer is left in `counts`
def loss(params, Omega):
    return -elbo(params, Omega, counts, offsets, covariates)


@jax.jit
def step(params, Omega, state, Y, O, X):
    global counts, offsets, covariates
    counts, offsets, covariates = Y, O, X
    value, gradient = jax.value_and_grad(loss)(params, Omega)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% wrong_state_anew
# wrong: the optimizer begins anew at each step; exercise: jitted_step; must fail: outputs; says: expected
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, optimizer.init(params), params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% wrong_state_is_a_list
# wrong: the state as a list, for which the next call compiles again; exercise: jitted_step; must fail: outputs; says: a list
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(elbo, argnums=0)(params, Omega, Y, O, X)
    updates, state = optimizer.update(jax.tree.map(jnp.negative, gradient), state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), list(state), value

# %% wrong_static_data
# wrong: the data are static; exercise: jitted_step; must fail: outputs; says: must be hashable
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit(static_argnums=(3, 4, 5))
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value

# %% starter_jitted_step
# starter: closes over the oaks; exercise: jitted_step; must fail: outputs; says: Pass all data as arguments

# %% starter_jitted_step_fit
# starter: assigns into the array; exercise: jitted_step_fit; must fail: outputs; says: x.at[i].set(v)

# %% empty_jitted_step
# empty: nothing in the cell; exercise: jitted_step; must fail: outputs; says: There is no function

# %% empty_jitted_step_fit
# empty: nothing in the cell; exercise: jitted_step_fit; must fail: outputs; says: There is no function
