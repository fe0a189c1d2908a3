"""Repairs of the lesson ahead_of_time, right and wrong, its starters and empty cells."""

# %% right_assigned
# right: jit applied by assignment; exercise: ahead_of_time
def newton_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)


poisson_fit = jax.jit(newton_fit, static_argnames=("steps",))

# %% right_callable_object
# right: an object that holds the compiled program; exercise: ahead_of_time_compiled
class Fit:
    def __init__(self, compiled):
        self.compiled = compiled

    def __call__(self, Y, O):
        return self.compiled(Y, O)


def compile_fit(Y, O, steps):
    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in (Y, O)]
    return Fit(jax.jit(partial(poisson_fit, steps=steps)).lower(*shapes).compile())

# %% right_fori_loop
# right: a fori_loop that fills an array; exercise: ahead_of_time
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def step(i, state):
        means, likelihoods = state
        expected = jnp.exp(O + means)
        curvature = expected.sum(0) + 1
        means = means + ((Y - expected).sum(0) - means) / curvature
        mean_field = O + means
        likelihood = (Y * mean_field - jnp.exp(mean_field)).sum() - (means @ means) / 2
        return means, likelihoods.at[i].set(likelihood)

    start = 1 + jnp.log1p(Y.sum(0)) - jnp.log(jnp.exp(O).sum(0))
    return jax.lax.fori_loop(0, steps, step, (start, jnp.zeros(steps, Y.dtype)))

# %% right_jitted_closure
# right: a jitted function of the data alone, compiled ahead of time; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    fit = jax.jit(lambda Y, O: poisson_fit(Y, O, steps))
    fit.lower(Y, O).compile()
    return fit

# %% right_keyword
# right: steps by keyword; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps=steps).compile()

# %% right_lambda_of_jitted
# right: compiled ahead of time, which fills the cache of the jitted function that is called; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: poisson_fit(Y, O, steps)

# %% right_new_ref
# right: the history in a ref; exercise: ahead_of_time
@partial(jax.jit, static_argnums=(2,))
def poisson_fit(Y, O, steps):
    history = jax.new_ref(jnp.zeros(steps, Y.dtype))

    def newton(i, means):
        expected = jnp.exp(O + means)
        means = means + (jnp.sum(Y - expected, axis=0) - means) / (jnp.sum(expected, axis=0) + 1)
        history[i] = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    means = jax.lax.fori_loop(0, steps, newton, start)
    return means, history[...]

# %% right_partial_by_name
# right: lowered and called by name; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps=steps).compile()
    return partial(poisson_fit, steps=steps)

# %% right_stages
# right: stage by stage, from shapes made anew; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    shapes = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in (Y, O)]
    lowered = poisson_fit.trace(*shapes, steps).lower()
    compiled = lowered.compile()
    return compiled

# %% right_static_argnums
# right: by position; exercise: ahead_of_time
@partial(jax.jit, static_argnums=2)
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)

# %% right_wrapper
# right: a function around the compiled object; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        return compiled(Y, O)

    return fit

# %% wrong_all_static
# wrong: the counts are static too; exercise: ahead_of_time; must fail: outputs; says: must be hashable
@partial(jax.jit, static_argnames=("Y", "O", "steps"))
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)

# %% wrong_beside_the_program
# wrong: computes beside the program; exercise: ahead_of_time_compiled; must fail: compilations; says: beside that program
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        means, likelihoods = compiled(Y, O)
        return means - 0.0, likelihoods

    return fit

# %% wrong_cached_by_steps
# wrong: programs are kept by the number of steps alone, whatever the shapes; exercise: ahead_of_time_compiled; must fail: outputs; says: works for the shapes and dtypes
programs = {}


def compile_fit(Y, O, steps):
    if steps not in programs:
        programs[steps] = poisson_fit.lower(Y, O, steps).compile()
    return programs[steps]

# %% wrong_compiles_later
# wrong: compiles at the call; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    return lambda Y, O: poisson_fit.lower(Y, O, steps).compile()(Y, O)

# %% wrong_fixed_steps
# wrong: 20 steps, whatever is asked for; exercise: ahead_of_time; must fail: outputs; says: expected
@jax.jit
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=20)

# %% wrong_fixed_steps_compiled
# wrong: compiled for 20 steps; exercise: ahead_of_time_compiled; must fail: outputs; says: Lower with the `Y`, `O` and `steps`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, 20).compile()

# %% wrong_forty_at_most
# wrong: room for the forty steps of the notebook; exercise: ahead_of_time; must fail: outputs; says: poisson_fit
from functools import partial


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def step(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, (means, likelihood)

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    _, (means, likelihoods) = jax.lax.scan(step, start, length=40)
    return means[steps - 1], likelihoods[:steps]

# %% wrong_global_program
# wrong: the program is kept in a global, so an earlier fit runs the latest one; exercise: ahead_of_time_compiled; must fail: outputs; says: until `compile_fit` was called again
compiled = None


def run(Y, O):
    return compiled(Y, O)


def compile_fit(Y, O, steps):
    global compiled
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return run

# %% wrong_int_of_steps
# wrong: int() of a tracer; exercise: ahead_of_time; must fail: outputs; says: make the argument static
@jax.jit
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=int(steps))

# %% wrong_jit_inside
# wrong: jits a new function at every call; exercise: ahead_of_time; must fail: compilations; says: Define it once
def poisson_fit(Y, O, steps):
    @jax.jit
    def fit(Y, O):
        def newton(means, _):
            expected = jnp.exp(O + means)
            gradient = jnp.sum(Y - expected, axis=0) - means
            means = means + gradient / (jnp.sum(expected, axis=0) + 1)
            likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
            return means, likelihood

        start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
        return jax.lax.scan(newton, start, length=steps)

    return fit(Y, O)

# %% wrong_jits_again
# wrong: a jit of its own, which was not compiled; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return jax.jit(lambda Y, O: poisson_fit(Y, O, steps))

# %% wrong_keeps_last_steps
# wrong: the last number of steps is kept in a global; exercise: ahead_of_time; must fail: purity; says: changes from
last = 0


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    global last
    last = steps

    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        return means, jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)

# %% wrong_keeps_steps
# wrong: notes each number of steps in a list; exercise: ahead_of_time; must fail: purity; says: asked_for
asked_for = []


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    asked_for.append(steps)
    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the counts; exercise: ahead_of_time; must fail: purity; says: known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="steps")
def compute(Y, O, steps):
    def step(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(step, start, length=steps)


def poisson_fit(Y, O, steps):
    key = id(Y), steps
    if key not in known:
        known[key] = Y, compute(Y, O, steps)
    return known[key][1]

# %% wrong_likelihood_before
# wrong: the log-likelihood before the step; exercise: ahead_of_time; must fail: outputs; says: result[1]
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        before = means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + before) - expected) - jnp.sum(before**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)

# %% wrong_list_in_scan
# wrong: a list inside the scan; exercise: ahead_of_time; must fail: outputs; says: second thing that its body returns
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    likelihoods = []

    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        likelihoods.append(likelihood)
        return means, None

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    means, _ = jax.lax.scan(newton, start, length=steps)
    return means, jnp.stack(likelihoods)

# %% wrong_loop_over_tracer
# wrong: a Python loop over the traced number of steps; exercise: ahead_of_time; must fail: outputs; says: A plain Python number is needed here
@jax.jit
def poisson_fit(Y, O, steps):
    means = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    likelihoods = []
    for _ in range(steps):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihoods.append(jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2)
    return means, jnp.stack(likelihoods)

# %% wrong_method_not_called
# wrong: the method, not called; exercise: ahead_of_time_compiled; must fail: outputs; says: does not call it
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile

# %% wrong_needs_data
# wrong: makes arrays of what it is given; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
def compile_fit(Y, O, steps):
    return poisson_fit.lower(jnp.asarray(Y), jnp.asarray(O), steps).compile()

# %% wrong_no_jit
# wrong: jit is gone; exercise: ahead_of_time; must fail: compilations; says: Put the whole function under one jax.jit
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)

# %% wrong_oaks_only
# wrong: compiled for the oaks, whatever is asked for; exercise: ahead_of_time_compiled; must fail: outputs; says: Lower the function with the shapes
def compile_fit(Y, O, steps):
    shapes = jax.ShapeDtypeStruct((116, 114), jnp.float32)
    return poisson_fit.lower(shapes, shapes, steps).compile()

# %% wrong_one_step_squeezed
# wrong: one step has a likelihood without an axis; exercise: ahead_of_time; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def newton(i, state):
        means, likelihoods = state
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihoods.at[i].set(likelihood)

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    means, likelihoods = jax.lax.fori_loop(0, steps, newton, (start, jnp.zeros((steps, 1))))
    return means, jnp.squeeze(likelihoods)

# %% wrong_only_lowered
# wrong: not compiled; exercise: ahead_of_time_compiled; must fail: outputs; says: Go on with `.compile()`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps)

# %% wrong_only_traced
# wrong: only traced; exercise: ahead_of_time_compiled; must fail: outputs; says: Go on with `.lower().compile()`
def compile_fit(Y, O, steps):
    return poisson_fit.trace(Y, O, steps)

# %% wrong_partial
# wrong: a partial of the jitted function; exercise: ahead_of_time_compiled; must fail: compilations; says: it still goes through `jax.jit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return partial(poisson_fit, steps=steps)

# %% wrong_passes_steps_again
# wrong: gives the compiled object its static argument; exercise: ahead_of_time_compiled; must fail: outputs; says: Leave the static arguments out
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: compiled(Y, O, steps)

# %% wrong_plain_fit
# wrong: the tutorial's mistake, the plain function is called; exercise: ahead_of_time_compiled; must fail: compilations; says: does not run what `compile_fit` compiled
def compile_fit(Y, O, steps):
    def fit(Y, O):
        return poisson_fit(Y, O, steps)

    jax.jit(fit).lower(Y, O).compile()
    return fit

# %% wrong_returns_jitted
# wrong: the jitted function itself; exercise: ahead_of_time_compiled; must fail: compilations; says: what `.compile()` gave is thrown away
def compile_fit(Y, O, steps):
    lowered = poisson_fit.lower(Y, O, steps)
    lowered.compile()
    return poisson_fit

# %% wrong_returns_results
# wrong: returns the results; exercise: ahead_of_time_compiled; must fail: outputs; says: to be called as `fit(Y, O)`
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return compiled(jnp.zeros(Y.shape), jnp.zeros(O.shape))

# %% wrong_room_for_the_oaks
# wrong: room for the taxa of the oaks; exercise: ahead_of_time; must fail: outputs; says: different sizes
from functools import partial


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    p = Y.shape[1]
    counts = jnp.zeros((len(Y), 114)).at[:, :p].set(Y)
    offsets = jnp.zeros((len(Y), 114)).at[:, :p].set(O)

    def step(means, _):
        expected = jnp.exp(offsets + means)
        gradient = jnp.sum(counts - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        at = O + means[:p]
        likelihood = jnp.sum(Y * at - jnp.exp(at)) - jnp.sum(means[:p] ** 2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(counts, axis=0) + 1) / jnp.sum(jnp.exp(offsets), axis=0)) + 1
    means, likelihoods = jax.lax.scan(step, start, length=steps)
    return means[:p], likelihoods

# %% wrong_runs_instead
# wrong: warms the jitted function up in place of compiling; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
def compile_fit(Y, O, steps):
    poisson_fit(Y, O, steps)
    return poisson_fit

# %% wrong_swapped
# wrong: offsets and counts swapped; exercise: ahead_of_time_compiled; must fail: outputs; says: arguments in their order
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: compiled(O, Y)

# %% wrong_unrolled
# wrong: a Python loop in place of the scan; exercise: ahead_of_time; must fail: compilations; says: Write the loop as `lax.scan`
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    means = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    likelihoods = []
    for _ in range(steps):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihoods.append(jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2)
    return means, jnp.stack(likelihoods)

# %% wrong_wants_steps
# wrong: what is returned still wants the steps; exercise: ahead_of_time_compiled; must fail: outputs; says: missing 1 required positional argument
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O, steps: compiled(Y, O)

# %% starter
# starter: as shipped; exercise: ahead_of_time; must fail: outputs; says: A plain Python number is needed here

# %% starter_ahead_of_time_compiled
# starter: as shipped; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with

# %% empty
# empty: nothing; exercise: ahead_of_time; must fail: outputs; says: no function `poisson_fit`

# %% empty_ahead_of_time_compiled
# empty: nothing; exercise: ahead_of_time_compiled; must fail: outputs; says: no function `compile_fit`
