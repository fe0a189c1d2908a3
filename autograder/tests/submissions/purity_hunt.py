"""Repairs of the lesson purity_hunt, right and wrong, its starters and empty cells."""

# %% right_copy
# right: a copy by jnp.array; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = jnp.array(M, copy=True)
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% right_decorator
# right: a decorator of its own around jit; exercise: purity_hunt
import functools


def fast(function):
    compiled = jax.jit(function)

    @functools.wraps(function)
    def call(*args, **kwargs):
        return compiled(*args, **kwargs)

    return call


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@fast
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% right_donation_names
# right: donate_argnames, the copy by addition; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnames="M")
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M + 0
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% right_donation_reduce
# right: functools.reduce; exercise: purity_hunt_donation
from functools import reduce


@jax.jit(donate_argnums=(0,))
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    return reduce(lambda M, _: relax(M, target), range(steps), M.copy())

# %% right_first_step_apart
# right: the first step makes the array that the others give away; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


@jax.jit
def first_step(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    if steps == 0:
        return M
    M = first_step(M, target)
    for _ in range(steps - 1):
        M = relax(M, target)
    return M

# %% right_fold_in
# right: fold_in; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    a, b = (jax.random.normal(jax.random.fold_in(key, i), M.shape) for i in (1, 2))
    return M + S * a, M + S * b

# %% right_fori
# right: losses written into an array of the carry; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(i, state):
        B, losses = state
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, losses.at[i].set(loss)

    return jax.lax.fori_loop(0, 10, step, (jnp.zeros_like(Y[0]), jnp.zeros(10)))

# %% right_history_class
# right: a helper object of the call's own collects the losses; exercise: purity_hunt
class History:
    def __init__(self):
        self.losses = []

    def add(self, loss):
        self.losses.append(loss)

    def stack(self):
        return jnp.stack(self.losses)


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    B, history = jnp.zeros_like(Y[0]), History()
    for _ in range(10):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history.add(loss)
        B = B - rate * slope
    return B, history.stack()

# %% right_local_dict
# right: a dictionary of its own; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    options = {"rate": 1.0}
    options["rate"] = rate

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - options["rate"] * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% right_local_list
# right: a list of its own in an unrolled loop; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses.append(loss)
        B = B - rate * slope
    return B, jnp.stack(losses)

# %% right_loop_inside
# right: the loop inside of jit; XLA reuses memory there; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


@jax.jit
def smooth(M, target, steps):
    return jax.lax.fori_loop(0, steps, lambda _, M: relax(M, target), M)

# %% right_namedtuple_result
# right: the pair is a NamedTuple; exercise: purity_hunt
from typing import NamedTuple


class Fit(NamedTuple):
    B: jax.Array
    losses: jax.Array


def poisson_loss(B: jax.Array, Y: jax.Array, O: jax.Array) -> jax.Array:
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y: jax.Array, O: jax.Array, rate: jax.Array) -> Fit:
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return Fit(*jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10))

# %% right_new_ref
# right: the history in a jax.new_ref of its own; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    history = jax.new_ref(jnp.zeros(10))

    def step(i, B):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history[i] = loss
        return B - rate * slope

    B = jax.lax.fori_loop(0, 10, step, jnp.zeros_like(Y[0]))
    return B, history[...]

# %% right_noise_keys
# right: a key class that splits itself, made in the call; exercise: purity_hunt_noise
class Keys:
    def __init__(self, key):
        self.key = key

    def __next__(self):
        self.key, new = jax.random.split(self.key)
        return new


@jax.jit
def two_draws(key, M, S):
    keys = Keys(key)
    return tuple(M + S * jax.random.normal(next(keys), M.shape) for _ in range(2))

# %% right_noise_multivariate
# right: both at once, one big draw; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    noise = jax.random.normal(key, (2, *M.shape))
    first, second = M + S * noise
    return first, second

# %% right_noise_twice_the_size
# right: one draw of twice the size; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    noise = jax.random.normal(key, (2, *M.shape), M.dtype)
    first, second = M + S * noise
    return first, second

# %% right_one_array
# right: both draws from one array; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    noise = jax.random.normal(key, (2, *M.shape))
    return M + S * noise[0], M + S * noise[1]

# %% right_scan
# right: the loss is what scan records; exercise: purity_hunt
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    B, losses = jax.lax.scan(step, jnp.zeros(Y.shape[1]), None, 10)
    return B, losses

# %% right_split
# right: split in two; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    keys = jax.random.split(key, 2)
    return tuple(M + S * jax.random.normal(k, M.shape, M.dtype) for k in keys)

# %% right_vmap_taxa
# right: each taxon by vmap; exercise: purity_hunt
def poisson_loss(b, y, o):
    eta = o + b
    return (jnp.exp(eta) - y * eta).mean()


@jax.jit
def fit(Y, O, rate):
    slopes = jax.vmap(jax.value_and_grad(poisson_loss), in_axes=(0, 1, 1))

    def step(B, _):
        losses, slope = slopes(B, Y, O)
        return B - rate * slope, losses.sum()

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_asarray
# wrong: asarray makes no copy; exercise: purity_hunt_donation; must fail: purity; says: donated
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = jnp.asarray(M)
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% wrong_cached_by_shape
# wrong: results cached by shape; exercise: purity_hunt; must fail: purity; says: a tracer is left in `results
results = {}


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def run(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)


def fit(Y, O, rate):
    if Y.shape not in results:
        results[Y.shape] = run(Y, O, rate)
    return results[Y.shape]

# %% wrong_callback
# wrong: sends the losses out by a callback; exercise: purity_hunt; must fail: purity; says: debug.callback
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = []


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        jax.debug.callback(history.append, loss)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_copies_the_caller_after
# wrong: copies too late; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        new = relax(M, target)
        M = M.copy()
    return M

# %% wrong_copies_the_list
# wrong: copies the global list first; exercise: purity_hunt; must fail: outputs; says: UnexpectedTracerError
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = []


@jax.jit
def fit(Y, O, rate):
    losses = list(history)

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses.append(loss)
        return B - rate * slope, None

    B, _ = jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)
    return B, jnp.stack(losses)

# %% wrong_donates_the_target
# wrong: donates the other argument; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted
@partial(jax.jit, donate_argnums=1)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% wrong_donation_copies_each_step
# wrong: copies at each step, so nothing is saved; exercise: purity_hunt_donation; must fail: outputs; says: Copy M once
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        M = relax(M.copy(), target)
    return M

# %% wrong_donation_copies_the_target
# wrong: donates the target too, and copies it at each step; exercise: purity_hunt_donation; must fail: outputs; says: a new array at each step
@partial(jax.jit, donate_argnums=(0, 1))
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()
    for _ in range(steps):
        M = relax(M, target.copy())
    return M

# %% wrong_donation_fifteen
# wrong: the fifteen steps of the notebook, and no more; exercise: purity_hunt_donation; must fail: outputs; says: smooth
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()  # a copy of our own, to give away
    for _ in range(min(steps, 15)):
        M = relax(M, target)
    return M

# %% wrong_donation_one_step
# wrong: makes no copy for a single step, and gives the caller's array away; exercise: purity_hunt_donation; must fail: purity; says: is deleted
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    if steps > 1:
        M = M.copy()
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% wrong_donation_plus_zero_each_step
# wrong: adds zero at each step; exercise: purity_hunt_donation; must fail: outputs; says: Copy M once
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        copied = M + 0
        M = relax(copied, target)
    return M

# %% wrong_drops_losses
# wrong: no step records its loss; exercise: purity_hunt; must fail: outputs; says: is None
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        _, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, None

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_fixed_key
# wrong: makes a key of its own; exercise: purity_hunt_noise; must fail: outputs; says: another key gives the same numbers
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(jax.random.key(0))
    return M + S * jax.random.normal(a, M.shape), M + S * jax.random.normal(b, M.shape)

# %% wrong_fixed_second_key
# wrong: a fixed second key; exercise: purity_hunt_noise; must fail: outputs; says: in the second draw
@jax.jit
def two_draws(key, M, S):
    first = M + S * jax.random.normal(key, M.shape)
    second = M + S * jax.random.normal(jax.random.key(1), M.shape)
    return first, second

# %% wrong_float_history
# wrong: float() of the loss; exercise: purity_hunt; must fail: outputs; says: plain Python number
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = []


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history.append(float(loss))
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_global_rate
# wrong: reads the rate from the dictionary only; exercise: purity_hunt; must fail: outputs; says: expected
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


options = {"rate": 0.001}


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - options["rate"] * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_io_callback
# wrong: an `io_callback` keeps the losses in a global list; exercise: purity_hunt; must fail: purity; says: `io_callback` calls back
from jax.experimental import io_callback

history = []


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        io_callback(lambda loss: history.append(float(loss)), None, loss, ordered=True)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_jits_again
# wrong: a second jit without donation around relax's body; exercise: purity_hunt_donation; must fail: outputs; says: relax no longer donates
def relax(M, target):
    return M + 0.5 * (target - M)


step = jax.jit(relax)


def smooth(M, target, steps):
    for _ in range(steps):
        M = step(M, target)
    return M

# %% wrong_keeps_history
# wrong: returns the losses and still fills the list; exercise: purity_hunt; must fail: purity; says: history
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = []


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history.append(loss)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_keeps_options
# wrong: still writes the rate to the dictionary; exercise: purity_hunt; must fail: purity; says: options
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


options = {"rate": 0.001}


@jax.jit
def fit(Y, O, rate):
    options["rate"] = rate

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - options["rate"] * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_key_as_seed
# wrong: gives the key to NumPy; exercise: purity_hunt_noise; must fail: outputs; says: jax.random
@jax.jit
def two_draws(key, M, S):
    rng = np.random.default_rng(key)
    return M + S * rng.normal(size=M.shape), M + S * rng.normal(size=M.shape)

# %% wrong_key_plus_one
# wrong: adds 1 to the key; exercise: purity_hunt_noise; must fail: outputs; says: A key is not a number
@jax.jit
def two_draws(key, M, S):
    return M + S * jax.random.normal(key, M.shape), M + S * jax.random.normal(key + 1, M.shape)

# %% wrong_list_in_scan
# wrong: a list of its own, filled inside of scan; exercise: purity_hunt; must fail: outputs; says: return it instead of storing it
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    losses = []

    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses.append(loss)
        return B - rate * slope, None

    B, _ = jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)
    return B, jnp.stack(losses)

# %% wrong_loss_after
# wrong: records the loss after each step; exercise: purity_hunt; must fail: outputs; says: values differ
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        _loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, poisson_loss(B - rate * slope, Y, O)

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_new_ref_outside
# wrong: the history is a reference that outlives the call; exercise: purity_hunt; must fail: outputs; says: made outside of it
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


history = jax.new_ref(jnp.zeros(10))


@jax.jit
def fit(Y, O, rate):
    def step(i, B):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history[i] = loss
        return B - rate * slope

    B = jax.lax.fori_loop(0, 10, step, jnp.zeros_like(Y[0]))
    return B, history[...]

# %% wrong_no_donation
# wrong: drops the donation; exercise: purity_hunt_donation; must fail: outputs; says: relax no longer donates
@jax.jit
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: purity_hunt; must fail: compilations; says: outside jit
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_noise_first_word
# wrong: the first word of the key as a seed: jax.random.key(8) and jax.random.key(9) give the same; exercise: purity_hunt_noise; must fail: outputs; says: another key gives the same numbers
@jax.jit
def two_draws(key, M, S):
    seed = jax.random.key_data(key)[0]
    key_1, key_2 = jax.random.split(jax.random.key(seed))
    first = M + S * jax.random.normal(key_1, M.shape)
    second = M + S * jax.random.normal(key_2, M.shape)
    return first, second

# %% wrong_noise_laplace
# wrong: Laplace's noise; exercise: purity_hunt_noise; must fail: outputs; says: not normal
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    r = jnp.sqrt(0.5)
    return M + S * r * jax.random.laplace(a, M.shape), M + S * r * jax.random.laplace(b, M.shape)

# %% wrong_noise_next_seed
# wrong: seed and seed + 1: the second draw of key(8) is the first of key(9); exercise: purity_hunt_noise; must fail: outputs; says: also a draw
@jax.jit
def two_draws(key, M, S):
    seed = jax.random.key_data(key)[1]
    first = M + S * jax.random.normal(jax.random.key(seed), M.shape)
    second = M + S * jax.random.normal(jax.random.key(seed + 1), M.shape)
    return first, second

# %% wrong_noise_one_deviation
# wrong: one standard deviation for each taxon, their mean, in place of one for each entry; exercise: purity_hunt_noise; must fail: outputs; says: standard deviation
@jax.jit
def two_draws(key, M, S):
    key_1, key_2 = jax.random.split(key)
    scale = S.mean(axis=0)
    first = M + scale * jax.random.normal(key_1, M.shape)
    second = M + scale * jax.random.normal(key_2, M.shape)
    return first, second

# %% wrong_noise_parent_key
# wrong: draws with the key, and splits it afterwards; exercise: purity_hunt_noise; must fail: outputs; says: nor split
@jax.jit
def two_draws(key, M, S):
    first = M + S * jax.random.normal(key, M.shape)
    _, key_2 = jax.random.split(key)
    return first, M + S * jax.random.normal(key_2, M.shape)

# %% wrong_noise_permuted
# wrong: the second draw is the first noise in another order; exercise: purity_hunt_noise; must fail: outputs; says: another order
@jax.jit
def two_draws(key, M, S):
    key_1, key_2 = jax.random.split(key)
    noise = jax.random.normal(key_1, M.shape)
    shuffled = jax.random.permutation(key_2, noise)
    return M + S * noise, M + S * shuffled

# %% wrong_noise_row_halves
# wrong: half of one draw comes back in the other; exercise: purity_hunt_noise; must fail: outputs; says: come back
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    first = jax.random.normal(a, M.shape)
    half = len(M) // 2
    second = jnp.concatenate([first[half:], jax.random.normal(b, M.shape)[half:]])[: len(M)]
    return M + S * first, M + S * second

# %% wrong_noise_uniform
# wrong: uniform noise; exercise: purity_hunt_noise; must fail: outputs; says: not normal
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    half = jnp.sqrt(3.0)
    return (
        M + S * jax.random.uniform(a, M.shape, minval=-half, maxval=half),
        M + S * jax.random.uniform(b, M.shape, minval=-half, maxval=half),
    )

# %% wrong_not_rebound
# wrong: calls relax and drops what it returns; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()
    for _ in range(steps):
        relax(M, target)
    return M

# %% wrong_numpy_history
# wrong: puts the losses into a NumPy array; exercise: purity_hunt; must fail: outputs; says: a tracer cannot be put into it
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    losses = np.zeros(10)
    B = jnp.zeros_like(Y[0])
    for i in range(10):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        losses[i] = loss
        B = B - rate * slope
    return B, losses

# %% wrong_numpy_seeded
# wrong: NumPy's generator with a seed; exercise: purity_hunt_noise; must fail: outputs; says: another key gives the same numbers
@jax.jit
def two_draws(key, M, S):
    rng = np.random.default_rng(0)
    return M + S * rng.normal(size=M.shape), M + S * rng.normal(size=M.shape)

# %% wrong_object_remembers
# wrong: an object keeps the last B between calls; exercise: purity_hunt; must fail: purity; says: solver
class Solver:
    def __init__(self):
        self.last = None


solver = Solver()


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def run(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)


def fit(Y, O, rate):
    solver.last = run(Y, O, rate)
    return solver.last

# %% wrong_one_number
# wrong: one number for the whole table; exercise: purity_hunt_noise; must fail: outputs; says: the same random number
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    return M + S * jax.random.normal(a), M + S * jax.random.normal(b)

# %% wrong_one_step
# wrong: a single step; exercise: purity_hunt_donation; must fail: outputs; says: expected
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    return relax(M.copy(), target)

# %% wrong_prints_loss
# wrong: prints in place of the history; exercise: purity_hunt; must fail: purity; says: print
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        print("loss", loss)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros_like(Y[0]), length=10)

# %% wrong_rebinds_only
# wrong: gives the caller's array away; exercise: purity_hunt_donation; must fail: purity; says: only arrays that the function itself made
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        M = relax(M, target)
    return M

# %% wrong_remembers_key
# wrong: keeps the last key in a global; exercise: purity_hunt_noise; must fail: purity; says: last
last = None


@jax.jit
def two_draws(key, M, S):
    global last
    last, a, b = jax.random.split(key, 3)
    return M + S * jax.random.normal(a, M.shape), M + S * jax.random.normal(b, M.shape)

# %% wrong_room_for_the_oaks
# wrong: room for the taxa of the oaks; exercise: purity_hunt; must fail: outputs; says: shape
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return jax.lax.scan(step, jnp.zeros(114)[: Y.shape[1]], length=10)

# %% wrong_same_key_twice
# wrong: uses the key twice; exercise: purity_hunt_noise; must fail: outputs; says: split it
@jax.jit
def two_draws(key, M, S):
    return M + S * jax.random.normal(key, M.shape), M + S * jax.random.normal(key, M.shape)

# %% wrong_sign
# wrong: the second draw mirrors the first; exercise: purity_hunt_noise; must fail: outputs; says: a key of its own
@jax.jit
def two_draws(key, M, S):
    noise = S * jax.random.normal(key, M.shape)
    return M + noise, M - noise

# %% wrong_variance
# wrong: takes S for the variance; exercise: purity_hunt_noise; must fail: outputs; says: standard deviation 1
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    s = jnp.sqrt(S)
    return M + s * jax.random.normal(a, M.shape), M + s * jax.random.normal(b, M.shape)

# %% wrong_donation_keeps_the_path
# wrong: keeps a copy of each iterate; exercise: purity_hunt_donation; must fail: outputs; says: Copy M once
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()
    path = [M.copy()]
    for _ in range(steps):
        M = relax(M, target)
        path.append(M.copy())  # to look at the path in a debugger
    return M

# %% starter_purity_hunt
# starter: as shipped; exercise: purity_hunt; must fail: outputs; says: UnexpectedTracerError

# %% starter_purity_hunt_donation
# starter: as shipped; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted

# %% starter_purity_hunt_noise
# starter: as shipped; exercise: purity_hunt_noise; must fail: outputs; says: drawn once, while tracing

# %% empty_purity_hunt
# empty: nothing in the cell; exercise: purity_hunt; must fail: outputs; says: There is no function

# %% empty_purity_hunt_donation
# empty: nothing in the cell; exercise: purity_hunt_donation; must fail: outputs; says: There is no function

# %% empty_purity_hunt_noise
# empty: nothing in the cell; exercise: purity_hunt_noise; must fail: outputs; says: There is no function

# %% right_written_into_an_array
# right: a Python loop, and losses written with at[].set; exercise: purity_hunt
@jax.jit
def fit(Y, O, rate):
    B = jnp.zeros_like(Y[0])
    losses = jnp.zeros(10)
    for i in range(10):
        fitted = jnp.exp(O + B)
        losses = losses.at[i].set((fitted - Y * (O + B)).sum(axis=1).mean())
        B -= rate * (fitted - Y).mean(axis=0)
    return B, losses

# %% right_step_function
# right: a pure step that returns the loss, called ten times; exercise: purity_hunt
def step(B, Y, O, rate):
    fitted = jnp.exp(O + B)
    loss = (fitted - Y * (O + B)).sum(axis=1).mean()
    return B - rate * (fitted - Y).mean(axis=0), loss


@jax.jit
def fit(Y, O, rate):
    B = jnp.zeros(Y.shape[1], Y.dtype)
    history = ()
    for _ in range(10):
        B, loss = step(B, Y, O, rate)
        history = (*history, loss)
    return B, jnp.array(history)

# %% right_plain_function_around
# right: a plain function that calls one jitted one; exercise: purity_hunt
def _fit(Y, O, options):
    B, history = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        fitted = jnp.exp(O + B)
        history.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - options["rate"] * (fitted - Y).mean(axis=0)
    return B, jnp.stack(history)


_jitted_fit = jax.jit(_fit)


def fit(Y, O, rate):
    return _jitted_fit(Y, O, {"rate": rate})

# %% wrong_history_cleared
# wrong: empties the global list first; exercise: purity_hunt; must fail: purity; says: history
history = []


@jax.jit
def fit(Y, O, rate):
    history.clear()
    B = jnp.zeros_like(Y[0])
    for _ in range(10):
        fitted = jnp.exp(O + B)
        history.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(history)

# %% wrong_default_list
# wrong: the list is a default value, which is made once; exercise: purity_hunt; must fail: outputs; says: UnexpectedTracerError
def descend(Y, O, rate, losses=[]):
    B = jnp.zeros_like(Y[0])
    for _ in range(10):
        fitted = jnp.exp(O + B)
        losses.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(losses)


@jax.jit
def fit(Y, O, rate):
    return descend(Y, O, rate)

# %% wrong_last_ten
# wrong: takes the last ten of a list that grows; exercise: purity_hunt; must fail: purity; says: history
history = []


@jax.jit
def fit(Y, O, rate):
    B = jnp.zeros_like(Y[0])
    for _ in range(10):
        fitted = jnp.exp(O + B)
        history.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(history[-10:])

# %% wrong_debug_print
# wrong: prints each loss with jax.debug.print, which is a callback; exercise: purity_hunt; must fail: purity; says: debug.print
@jax.jit
def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        fitted = jnp.exp(O + B)
        losses.append((fitted - Y * (O + B)).sum(axis=1).mean())
        jax.debug.print("loss {loss}", loss=losses[-1])
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(losses)

# %% wrong_list_of_losses
# wrong: returns a list of ten numbers in place of an array; exercise: purity_hunt; must fail: outputs; says: result
@jax.jit
def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        fitted = jnp.exp(O + B)
        losses.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, losses

# %% wrong_only_the_step_is_jitted
# wrong: ten programs for a call, and a list outside of them; exercise: purity_hunt; must fail: compilations; says: jax.jit
@jax.jit
def step(B, Y, O, rate):
    fitted = jnp.exp(O + B)
    loss = (fitted - Y * (O + B)).sum(axis=1).mean()
    return B - rate * (fitted - Y).mean(axis=0), loss


def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        B, loss = step(B, Y, O, rate)
        losses.append(loss)
    return B, jnp.stack(losses)

# %% wrong_options_by_shape
# wrong: the rate is kept where a later trace finds the old one; exercise: purity_hunt; must fail: purity; says: options
options = {}


@jax.jit
def fit(Y, O, rate):
    options.setdefault("rates", []).append(rate)
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        fitted = jnp.exp(O + B)
        losses.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(losses)

# %% wrong_rate_static
# wrong: the rate is static, and an array is not hashable; exercise: purity_hunt; must fail: outputs; says: hashable
@partial(jax.jit, static_argnames="rate")
def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        fitted = jnp.exp(O + B)
        losses.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(losses)

# %% right_noise_in_two_calls
# right: a helper that draws once, called with two keys; exercise: purity_hunt_noise
def draw(key, M, S):
    return S * jax.random.normal(key, M.shape) + M


@jax.jit
def two_draws(key, M, S):
    keys = jax.random.split(key)
    return draw(keys[0], M, S), draw(keys[1], M, S)

# %% right_noise_plain_function_around
# right: a plain function that calls one jitted one; exercise: purity_hunt_noise
@jax.jit
def draws(key, M, S):
    key, key_1 = jax.random.split(key)
    key, key_2 = jax.random.split(key)
    z_1, z_2 = (jax.random.normal(k, shape=S.shape) for k in (key_1, key_2))
    return jnp.add(M, S * z_1), jnp.add(M, S * z_2)


def two_draws(key, M, S):
    return draws(key, M, S)

# %% wrong_noise_outside
# wrong: draws outside of the jitted part, with NumPy; exercise: purity_hunt_noise; must fail: purity; says: hidden random state
@jax.jit
def add_noise(M, S, z_1, z_2):
    return M + S * z_1, M + S * z_2


def two_draws(key, M, S):
    return add_noise(M, S, np.random.normal(size=M.shape), np.random.normal(size=M.shape))

# %% wrong_noise_only_the_first_half
# wrong: the key for the first draw alone; exercise: purity_hunt_noise; must fail: outputs; says: in the second draw
@jax.jit
def two_draws(key, M, S):
    key_1, _ = jax.random.split(key)
    first = M + S * jax.random.normal(key_1, M.shape)
    second = M + S * np.random.normal(size=M.shape)
    return first, second

# %% right_donation_while
# right: a while loop, and the copy by jnp.copy; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=(0,))
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    own, done = jnp.copy(M), 0
    while done < steps:
        own = relax(own, target)
        done += 1
    return own

# %% right_donation_recursion
# right: a helper that calls itself; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return (M + target) / 2


def advance(M, target, steps):
    return M if steps == 0 else advance(relax(M, target), target, steps - 1)


def smooth(M, target, steps):
    return advance(jnp.array(M), target, steps)

# %% wrong_donation_copy_of_target_once
# wrong: copies the target, and gives the caller's M away; exercise: purity_hunt_donation; must fail: purity; says: only arrays that the function itself made
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    target = target.copy()
    for _ in range(steps):
        M = relax(M, target)
    return M
