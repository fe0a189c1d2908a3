"""Repairs of the lesson early_stop, right and wrong, its starters and empty cells."""

# %% right_absolute_reachable
# right: an absolute tolerance that float32 reaches here; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-4) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z)), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-4

# %% right_dict_state
# right: a dictionary as state, a flag in it; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    eps = jnp.finfo(counts.dtype).eps

    def step(s):
        new = newton(s["z"], counts, offsets)
        small = jnp.abs(new - s["z"]) <= 100 * eps * (1 + jnp.abs(new))
        return {"z": new, "done": small.all(), "i": s["i"] + 1}

    start = {"z": jnp.log(counts + 0.5) - offsets, "done": jnp.array(False), "i": jnp.int32(0)}
    end = lax.while_loop(lambda s: ~s["done"] & (s["i"] < limit), step, start)
    return end["z"], end["i"], end["done"]

# %% right_masked_fori
# right: fori_loop with a mask: does all turns, keeps the first good one; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    def step(_, state):
        z, change, iterations = state
        new = newton(z, counts, offsets)
        change_now = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(z)))
        go_on = change > 1e-5
        kept = jnp.where(go_on, new, z), jnp.where(go_on, change_now, change)
        return *kept, iterations + go_on

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.fori_loop(0, limit, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% right_named_state_ref
# right: the number of steps in a ref; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    made = jax.new_ref(jnp.int32(0))

    def step(state):
        z, _, i = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), i + 1

    z, change, i = lax.while_loop(
        lambda s: (s[1] > 1e-5) & (s[2] < limit),
        step,
        (jnp.log(counts + 0.5) - offsets, jnp.inf, 0),
    )
    made[...] = i
    return z, made[...], change <= 1e-5

# %% right_one_plain_function_around
# right: a plain function around one jitted loop; exercise: early_stop
@jax.jit
def iterate(counts, offsets, limit):
    def go_on(state):
        change, k, _ = state
        return jnp.all(jnp.array([change > 1e-5, k < limit]))

    def step(state):
        _, k, z = state
        new = newton(z, counts, offsets)
        relative = jnp.abs(new - z) / (1 + jnp.abs(z))
        return relative.max(), k + 1, new

    change, k, z = lax.while_loop(
        go_on, step, (jnp.float32(1.0), 0, jnp.log(counts + 0.5) - offsets)
    )
    return z, k, change <= 1e-5


def latent_mode(counts, offsets, limit):
    return iterate(counts, offsets, limit)

# %% right_runs_on_with_nan
# right: goes on unless it is good, so that with NaN it runs to the limit; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    def is_good(old, new):
        return jnp.all(jnp.abs(new - old) <= 1e-6 * (1 + jnp.abs(new)))

    def step(state):
        i, z, _ = state
        new = newton(z, counts, offsets)
        return i + 1, new, is_good(z, new)

    start = (0, jnp.log(counts + 0.5) - offsets, False)
    i, z, good = lax.while_loop(lambda s: jnp.logical_and(~s[2], s[0] < limit), step, start)
    return z, i, good

# %% right_static_limit
# right: the limit is static; exercise: early_stop
@jax.jit(static_argnames="limit")
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% right_ten_times_the_tolerance
# right: two iterates as state, ten times the tolerance, the test made again at the end; exercise: early_stop
from typing import NamedTuple


class State(NamedTuple):
    before: jax.Array
    now: jax.Array
    made: jax.Array


def moved(state):
    return jnp.max(jnp.abs(state.now - state.before) / (1 + jnp.abs(state.now)))


@jax.jit
def latent_mode(counts, offsets, limit):
    z = jnp.log(counts + 0.5) - offsets
    state = lax.while_loop(
        lambda s: (s.made < limit) & ((s.made == 0) | (moved(s) > 1e-4)),
        lambda s: State(s.now, newton(s.now, counts, offsets), s.made + 1),
        State(z, z, jnp.array(0)),
    )
    return state.now, state.made, (state.made > 0) & (moved(state) <= 1e-4)

# %% right_while_relative
# right: while_loop, change relative to the largest z; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return (
            new,
            jnp.max(jnp.abs(new - z)) / jnp.maximum(jnp.max(jnp.abs(new)), 1),
            iterations + 1,
        )

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_a_dictionary
# wrong: a dictionary in place of three things; exercise: early_stop; must fail: outputs; says: three
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        return (state["change"] > 1e-5) & (state["iterations"] < limit)

    def step(state):
        new = newton(state["z"], counts, offsets)
        change = jnp.max(jnp.abs(new - state["z"]) / (1 + jnp.abs(new)))
        return {"z": new, "change": change, "iterations": state["iterations"] + 1}

    start = {"z": jnp.log(counts + 0.5) - offsets, "change": jnp.inf, "iterations": 0}
    end = lax.while_loop(go_on, step, start)
    return {"z": end["z"], "iterations": end["iterations"], "converged": end["change"] <= 1e-5}

# %% wrong_absolute_tolerance
# wrong: 1e-10 is out of float32's reach; exercise: early_stop; must fail: outputs; says: Use a relative tolerance
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-10) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z)), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-10

# %% wrong_always_true
# wrong: converged is always True; exercise: early_stop; must fail: outputs; says: Hitting the limit is no success
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, _change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, jnp.array(True)

# %% wrong_and
# wrong: `and` in the loop's condition; exercise: early_stop; must fail: outputs; says: join conditions with `&`
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return change > 1e-5 and iterations < limit

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_below_limit_is_success
# wrong: takes staying under the limit for success; exercise: early_stop; must fail: outputs; says: one count is NaN
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, _change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, iterations < limit

# %% wrong_converged_by_entry
# wrong: converged is one flag for each entry, not one; exercise: early_stop; must fail: outputs; says: they are
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return jnp.any(change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.abs(new - z) / (1 + jnp.abs(new)), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    first = jnp.full_like(start, jnp.inf)
    z, change, iterations = lax.while_loop(go_on, step, (start, first, 0))
    return z, iterations, change <= 1e-5

# %% wrong_counts_from_one
# wrong: counts from 1; exercise: early_stop; must fail: outputs; says: Count from 0
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 1))
    return z, iterations, change <= 1e-5

# %% wrong_done_without_a_step
# wrong: converged also where no step was made; exercise: early_stop; must fail: outputs; says: Hitting the limit
@jax.jit
def latent_mode(counts, offsets, limit):
    def step(state):
        z, _, i = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), i + 1

    z, change, i = lax.while_loop(
        lambda s: (s[1] > 1e-5) & (s[2] < limit),
        step,
        (jnp.log(counts + 0.5) - offsets, jnp.inf, 0),
    )
    return z, i, (i == 0) | (change <= 1e-5)

# %% wrong_fifty_at_most
# wrong: never more than the fifty steps of the notebook; exercise: early_stop; must fail: outputs; says: it stopped after 50 steps
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < jnp.minimum(limit, 50))

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets, jnp.inf, 0
    z, change, iterations = lax.while_loop(go_on, step, start)
    return z, iterations, change <= 1e-5

# %% wrong_five_at_a_time
# wrong: in chunks of five steps, which stop at the fifth only; exercise: early_stop; must fail: outputs; says: nothing changes any more
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, change, iterations = state
        for _ in range(5):
            new = newton(z, counts, offsets)
            change = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new)))
            z = new
        return z, change, iterations + 5

    start = jnp.log(counts + 0.5) - offsets, jnp.inf, 0
    z, change, iterations = lax.while_loop(go_on, step, start)
    return z, iterations, change <= 1e-5

# %% wrong_flag_by_entry
# wrong: one flag for each entry, one integer is a float; exercise: early_stop; must fail: outputs; says: one integer
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0.0))
    return z, iterations, change <= 1e-5

# %% wrong_fori
# wrong: a fixed number of turns; exercise: early_stop; must fail: outputs; says: ran to its limit
@jax.jit
def latent_mode(counts, offsets, limit):
    start = jnp.log(counts + 0.5) - offsets
    before = lax.fori_loop(0, limit - 1, lambda _, z: newton(z, counts, offsets), start)
    z = newton(before, counts, offsets)
    return z, limit, jnp.max(jnp.abs(z - before)) <= 1e-4

# %% wrong_functions_swapped
# wrong: while_loop is given the step first; exercise: early_stop; must fail: outputs; says: in the other order
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    z, change, iterations = lax.while_loop(
        step, go_on, (jnp.log(counts + 0.5) - offsets, jnp.inf, 0)
    )
    return z, iterations, change <= 1e-5

# %% wrong_hides_the_nan
# wrong: nanmax does not see what is missing; exercise: early_stop; must fail: outputs; says: one count is NaN
@jax.jit
def latent_mode(counts, offsets, limit):
    def step(state):
        z, _, i = state
        new = newton(z, counts, offsets)
        return new, jnp.nanmax(jnp.abs(new - z) / (1 + jnp.abs(new))), i + 1

    z, change, i = lax.while_loop(
        lambda s: (s[1] > 1e-5) & (s[2] < limit),
        step,
        (jnp.log(counts + 0.5) - offsets, jnp.inf, 0),
    )
    return z, i, change <= 1e-5

# %% wrong_history
# wrong: keeps the changes in a list; exercise: early_stop; must fail: purity; says: history
history = []


@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        history.append(new)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_integer_change
# wrong: the change starts as an integer; exercise: early_stop; must fail: outputs; says: Start with strong dtypes
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.int32(1), jnp.int32(0)))
    return z, iterations, change <= 1e-5

# %% wrong_keeps_the_old
# wrong: the step returns the old z; exercise: early_stop; must fail: outputs; says: where it began
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return z, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    z, change, iterations = lax.while_loop(
        go_on, step, (jnp.log(counts + 0.5) - offsets, jnp.inf, 0)
    )
    return z, iterations, change <= 1e-5

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the counts; exercise: early_stop; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets, jnp.inf, 0
    z, change, iterations = lax.while_loop(go_on, step, start)
    return z, iterations, change <= 1e-5


def latent_mode(counts, offsets, limit):
    if id(counts) not in known:
        known[id(counts)] = counts, compute(counts, offsets, limit)
    return known[id(counts)][1]

# %% wrong_loose
# wrong: a tolerance of a half; exercise: early_stop; must fail: outputs; says: is below 1e-5
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 0.5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 0.5

# %% wrong_loses_the_state
# wrong: the step returns z only; exercise: early_stop; must fail: outputs; says: structure
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, _iterations = state
        new = newton(z, counts, offsets)
        return new

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_mean_change
# wrong: the mean change is small, where one entry of many still moves; exercise: early_stop; must fail: outputs; says: still changes
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.mean(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_nan_is_success
# wrong: everything that stops is a success; exercise: early_stop; must fail: outputs; says: one count is NaN
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, ~(change > 1e-5)

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: early_stop; must fail: compilations; says: outside
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_no_limit
# wrong: ignores the limit; exercise: early_stop; must fail: outputs; says: stop at the limit too
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, _iterations = state
        return change > 1e-5

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_or
# wrong: stops only when both say so; exercise: early_stop; must fail: outputs; says: Either nothing tests for convergence
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) | (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_pair
# wrong: leaves out converged; exercise: early_stop; must fail: outputs; says: three results
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, _change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations

# %% wrong_python_while
# wrong: still a Python while; exercise: early_stop; must fail: outputs; says: becomes `lax.while_loop`
@jax.jit
def latent_mode(counts, offsets, limit):
    z = jnp.log(counts + 0.5) - offsets
    change, iterations = jnp.inf, 0
    while (change > 1e-5) & (iterations < limit):
        new = newton(z, counts, offsets)
        change = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new)))
        z, iterations = new, iterations + 1
    return z, iterations, change <= 1e-5

# %% wrong_room_for_the_oaks
# wrong: room for the entries of the oaks; exercise: early_stop; must fail: outputs; says: different sizes
@jax.jit
def latent_mode(counts, offsets, limit):
    n = counts.size
    y = jnp.ones(116 * 114).at[:n].set(counts.ravel())
    o = jnp.zeros(116 * 114).at[:n].set(offsets.ravel())

    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, y, o)
        return new, jnp.max(jnp.abs(new - z)[:n] / (1 + jnp.abs(new[:n]))), iterations + 1

    z, change, iterations = lax.while_loop(go_on, step, (jnp.log(y + 0.5) - o, jnp.inf, 0))
    return z[:n].reshape(counts.shape), iterations, change <= 1e-5

# %% wrong_signed_change
# wrong: the change with its sign; exercise: early_stop; must fail: outputs; says: without its sign
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(new - z), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_starts_at_minus_inf
# wrong: the first change is -inf; exercise: early_stop; must fail: outputs; says: start with jnp.inf
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, -jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_ten_at_most
# wrong: never more than ten steps, as in the figure, whatever the limit; exercise: early_stop; must fail: outputs; says: still changes
@jax.jit
def latent_mode(counts, offsets, limit):
    def step(_, state):
        z, change, iterations = state
        go_on = (change > 1e-5) & (iterations < limit)
        new = newton(z, counts, offsets)
        now = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new)))
        return jnp.where(go_on, new, z), jnp.where(go_on, now, change), iterations + go_on

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.fori_loop(0, 10, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_two_steps_at_a_time
# wrong: tests after every second step, and makes one step too many where the limit is odd; exercise: early_stop; must fail: outputs; says: limit is 3
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def two_steps(state):
        z, _, iterations = state
        middle = newton(z, counts, offsets)
        new = newton(middle, counts, offsets)
        change = jnp.max(jnp.abs(new - middle) / (1 + jnp.abs(new)))
        return new, change, iterations + 2

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, two_steps, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5

# %% wrong_unrolled
# wrong: a Python for with masks; exercise: early_stop; must fail: compilations; says: lax.fori_loop
@jax.jit(static_argnames="limit")
def latent_mode(counts, offsets, limit):
    z, change, iterations = jnp.log(counts + 0.5) - offsets, jnp.float32(jnp.inf), jnp.int32(0)
    for _ in range(limit):
        new = newton(z, counts, offsets)
        go_on = change > 1e-5
        change = jnp.where(go_on, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(z))), change)
        z, iterations = jnp.where(go_on, new, z), iterations + go_on
    return z, iterations, change <= 1e-5

# %% wrong_vectors_only
# wrong: a loop for each entry of a vector, which fails for a table such as the oaks; exercise: early_stop; must fail: outputs; says: z
def one_mode(count, offset, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, count, offset)
        return new, jnp.abs(new - z) / (1 + jnp.abs(new)), iterations + 1

    start = jnp.log(count + 0.5) - offset
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5


@jax.jit
def latent_mode(counts, offsets, limit):
    each = jax.vmap(one_mode, in_axes=(0, 0, None))
    z, iterations, converged = each(counts, offsets, limit)
    return z, jnp.max(iterations), jnp.all(converged)

# %% wrong_last_step_allowed
# wrong: no success where the last step that is allowed converges; exercise: early_stop; must fail: outputs; says: converged is False
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, (change <= 1e-5) & (iterations < limit)

# %% starter
# starter: as shipped; exercise: early_stop; must fail: outputs; says: TracerBoolConversionError

# %% empty
# empty: nothing in the cell; exercise: early_stop; must fail: outputs; says: There is no function
