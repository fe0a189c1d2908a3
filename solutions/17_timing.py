# %% [markdown]
# # Timing: where the seconds go
#
# **Three clocks say that a fit takes seconds, a sixth of that, or 0.2 ms. Only one of them timed a
# run.**
#
# **You will learn** to time programs that run in the background, to find out why compiling takes
# long, and to compile ahead of time and use what you compiled. About 45 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import statistics
import time
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax.scipy.special import gammaln

from plnkit import load_oaks
from plnkit.compile_counts import compile_counts
from plnkit.course import best_Omega, loss, optimizer, start

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)


# %% tags=["demo"]
from plnkit.course import plot_progress


@partial(jax.jit, static_argnums=3)
def fit_pln(Y, O, X, n_iterations):
    """Return the ELBO before each iteration of the fit of lesson `scan_fit`."""

    def body(carry, _):
        params, Omega, state = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state), -value

    params, Omega = start(Y, O, X)
    return jax.lax.scan(body, (params, Omega, optimizer.init(params)), length=n_iterations)[1]


seconds = {}
for clock in ("first call", "second call", "third call, without waiting"):
    begin = time.perf_counter()
    elbos = fit_pln(counts, offsets, covariates, 300)
    if "without" not in clock:
        jax.block_until_ready(elbos)
    seconds[clock] = time.perf_counter() - begin
    print(f"{clock}: {seconds[clock]:.4f} s")
plot_progress("this fit, second call: nothing to compile", seconds["second call"], elbos)

# %% [markdown]
# ## See it fail
#
# `x.block_until_ready()` waits until the array `x` has been computed. But a function may return
# several arrays.

# %% tags=["raises-exception"]
total_and_largest = jax.jit(lambda Y: (Y.sum(), Y.max()))
total_and_largest(counts).block_until_ready()

# %% [markdown]
# ```
# AttributeError: 'tuple' object has no attribute 'block_until_ready'
# ```
#
# `jax.block_until_ready(result)` waits for everything in a tuple, list or dict. That mistake fails.
# Those below only give you a wrong number.
#
# ## Why
#
# **Dispatch is asynchronous.** A call, jitted or not, may return as soon as the program has started,
# with arrays that are still being computed. (On a CPU, some programs have ended by then.) A clock
# stopped then has measured how long it takes to *ask*.
#
# **The first call compiles.** It traces, compiles and runs. The others only run.
#
# **Machines are busy.** Now and then one call takes ten times as long, because something else ran.
# Such a call shifts the mean; the *median* barely moves.
#
# ## Your task: a clock that can be trusted
#
# `time_call(function, *arguments)` below makes all these mistakes. Repair it so that
#
# * it works for any function of arrays, jitted or not, whatever it returns;
# * it makes one call first, which warms up, and then times at least five more, each until its
#   result is ready;
# * it returns two numbers in seconds: `(compile_seconds, run_seconds)`. The second is the median of
#   the calls after the first. The first is how much longer the first call took than that median.


# %% solution="timing"
### BEGIN SOLUTION
def time_call(function, *arguments):
    def seconds():
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        return time.perf_counter() - start

    first = seconds()
    run_seconds = statistics.median(seconds() for _ in range(7))
    return first - run_seconds, run_seconds


### END SOLUTION
### BEGIN STARTER
# def time_call(function, *arguments):
#     times = []
#     for _ in range(6):
#         start = time.perf_counter()
#         function(*arguments)
#         times.append(time.perf_counter() - start)
#     return 0.0, sum(times) / len(times)
### END STARTER

# %% [markdown]
# The check calls `time_call` with functions whose times it knows: they "compile" and "compute" by
# sleeping, and one call in five is slow.

# %% check="timing"
check("timing")

# %% [markdown]
# ## Is jit worth it?
#
# `growth` makes 64 small operations on a large array, and `product` makes one: a matrix product.
#
# **Predict before you run.** Which of the two runs faster under `jit`?

# %% tags=["demo"]
predict("what runs faster under jit", ..., among=["growth", "product", "both", "neither"])


# %% tags=["demo"]
def growth(x):
    for _ in range(16):
        x = x + 0.1 * x * (1 - x)
    return x


def product(x):
    return x @ x


# Random numbers come from a key: lesson `purity_hunt`.
x, faster = jax.random.uniform(jax.random.key(8), (1000, 1000)), []
for function in (growth, product):
    _, plain = time_call(function, x)
    compiling, jitted = time_call(jax.jit(function), x)
    print(
        f"{function.__name__:>7}: {1e3 * plain:.1f} ms a call, {1e3 * jitted:.1f} ms jitted,",
        end=" ",
    )
    print(f"{1e3 * compiling:.0f} ms to compile")
    faster += [function.__name__] * (plain > 2 * jitted)
outcome("what runs faster under jit", "both" if len(faster) == 2 else "".join(faster) or "neither")

# %% [markdown]
# Without jit each operation is a program of its own, compiled when it is first needed: `growth`
# reads an array from memory and writes a new one 64 times. With jit, XLA **fuses** its operations,
# and one pass through memory does it all. `product` is one operation, and there is nothing to fuse.
#
# ## Why does it compile for so long?
#
# Before a program runs, JAX **traces** (it runs your Python and records the operations), **lowers**
# (it translates them for the compiler) and **compiles**, which is the slowest. Compiling takes long
# for three reasons:
#
# * **The program is long.** A Python loop is recorded iteration by iteration: it is *unrolled*.
# * **The program holds data.** An array that a jitted function uses without getting it as an
#   argument is *closed over*: its numbers become part of the program, which is of no use for other
#   data.
# * **The program is made again.** jit finds a program by the function *object*. A `partial`, a
#   `lambda` or an inner function that is made in each call is a new one each time.
#
# **Predict before you run.** With four times as many iterations of a Python loop, how many times as
# long is the text of the program?

# %% tags=["demo"]
predict("how many times as long the text is", ...)


# %%
def step(M, log_S, Y, O, rate):
    """Improve M and log S, for Omega = I and B = 0; also return the ELBO before this step."""
    S2, expected = jnp.exp(2 * log_S), jnp.exp(O + M + jnp.exp(2 * log_S) / 2)
    elbo = jnp.sum(Y * (O + M) - expected - gammaln(Y + 1) + log_S - (M**2 + S2 - 1) / 2)
    move = (Y - expected - M) / (expected + 1)
    log_move = 1 / (2 * S2 * (expected + 1)) - 1 / 2
    return M + rate * jnp.clip(move, -1, 1), log_S + rate * jnp.clip(log_move, -1, 1), elbo


# %% tags=["demo"]
def unrolled(Y, O, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = step(M, log_S, Y, O, 0.5)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)


def stages(label, jitted, *arguments):
    """Print the seconds of each stage; return how long the text of the lowered program is."""
    begin = time.perf_counter()
    traced = jitted.trace(*arguments)
    after_trace = time.perf_counter()
    lowered = traced.lower()
    after_lowering = time.perf_counter()
    lowered.compile()
    end, length = time.perf_counter(), len(lowered.as_text())
    print(
        f"{label:>16}: {length / 1000:5.0f} kB of text, trace {after_trace - begin:.2f} s,", end=" "
    )
    print(f"lower {after_lowering - after_trace:.2f} s, compile {end - after_lowering:.2f} s")
    return length


jitted = jax.jit(unrolled, static_argnums=2)
short = stages("5 iterations", jitted, counts, offsets, 5)
long = stages("20 iterations", jitted, counts, offsets, 20)
stages("Y as an argument", jax.jit(lambda Y: Y.sum()), counts)
stages("Y closed over", jax.jit(lambda: counts.sum()))
outcome("how many times as long the text is", round(long / short), within=0.3)

# %% [markdown]
# The counts are 53 kB, and each byte takes two characters of the text.
#
# ## Your task: one short program
#
# `fit` below has all three faults. Repair it, so that
#
# * it returns what it returns now: M, log S, and the ELBO before each iteration;
# * it is **one** jitted function, or calls one, and is pure;
# * it is compiled once for all data of one shape and one number of iterations, whatever the rate;
# * its program does not grow with the number of iterations.


# %% solution="slow_compile"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


### END SOLUTION
### BEGIN STARTER
# def fit(Y, O, rate, n_iterations):
#     def run(M, log_S, rate):
#         elbos = []
#         for _ in range(n_iterations):
#             M, log_S, elbo = step(M, log_S, Y, O, rate)
#             elbos.append(elbo)
#         return M, log_S, jnp.stack(elbos)
#
#     start = jnp.zeros(Y.shape)
#     return jax.jit(partial(run, rate=rate))(start, start)
### END STARTER

# %% check="slow_compile"
check("slow_compile")

# %% [markdown]
# ## Ahead of time
#
# Each stage has a method, so you can compile before the data have arrived:
#
# | stage | by hand | gives |
# | --- | --- | --- |
# | trace | `f.trace(*arguments)` | a jaxpr |
# | lower | `f.lower(*arguments)` (traces, too) | the compiler's input: `.as_text()` |
# | compile | `lowered.compile()` | a program: `.cost_analysis()`, `.memory_analysis()` |
# | run | `compiled(*arguments)` | results |
#
# Lowering needs only the shapes and dtypes of arrays: `jax.ShapeDtypeStruct(shape, dtype)` has just
# these. A static value is *in* the program from then on, and is not passed again.
#
# `poisson_fit` is the model without latent variables.


# %%
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    """Return each taxon's mean log abundance, and the log-likelihood after each step."""

    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)


# %% [markdown]
# **Predict before you run.** The next cell compiles it for the shape of the oaks, and 20 steps. How
# many of the six calls below compile something?

# %% tags=["demo"]
shapes = jax.ShapeDtypeStruct(counts.shape, counts.dtype)
compiled = poisson_fit.lower(shapes, shapes, 20).compile()
few = counts[:10], offsets[:10]
calls = {
    "poisson_fit(counts, offsets, 20)": lambda: poisson_fit(counts, offsets, 20),
    "poisson_fit(counts, offsets, steps=20)": lambda: poisson_fit(counts, offsets, steps=20),
    "poisson_fit(*few, 20)": lambda: poisson_fit(*few, 20),
    "compiled(counts, offsets)": lambda: compiled(counts, offsets),
    "compiled(counts, offsets, 20)": lambda: compiled(counts, offsets, 20),
    "compiled(*few)": lambda: compiled(*few),
}
predict("calls that compile", ...)

# %% tags=["demo"]
compiling = 0
for text, call in calls.items():
    with compile_counts() as counted:
        try:
            call()
            what = "compiles" if counted["compilations"] else "runs"
        except TypeError as error:
            what = f"refused: {str(error)[:60]}..."
    compiling += what == "compiles"
    print(f"{text:<38} {what}")
outcome("calls that compile", compiling)

# %% [markdown]
# The first call finds what was compiled: it is the same jitted function, called in the same way. A
# static argument passed by name, another shape, or another `jax.jit` around it makes jit compile
# again. A compiled object never compiles: it refuses what does not fit.
#
# What you gain: no call compiles by surprise, in the middle of a measurement; you read what a
# program costs before it runs (`.cost_analysis()` counts the body of a loop once, however often it
# runs); and `jax.export` ships it to another process. Everywhere else, use `jit`, which keeps and
# chooses the programs for you.
#
# ## Your task: compile it, and use what you compiled
#
# `compile_fit(Y, O, steps)` makes two mistakes. Repair it so that
#
# * it needs shapes only: `Y` and `O` may be `jax.ShapeDtypeStruct`, of float32;
# * what it returns is called as `fit(Y, O)`, with arrays of these shapes, and gives the results of
#   `poisson_fit`;
# * that call compiles nothing.


# %% solution="ahead_of_time_compiled"
### BEGIN SOLUTION
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile()


### END SOLUTION
### BEGIN STARTER
# def compile_fit(Y, O, steps):
#     Y, O = jnp.asarray(Y), jnp.asarray(O)
#
#     def fit(Y, O):
#         return poisson_fit(Y, O, steps)
#
#     jax.jit(fit).lower(Y, O).compile()
#     return fit
### END STARTER

# %% check="ahead_of_time_compiled"
check("ahead_of_time_compiled")

# %% [markdown]
# ## What did it cost?

# %% tags=["demo"]
jax.clear_caches()  # nothing is compiled beforehand
for name, function, arguments in (
    ("unrolled", jax.jit(unrolled, static_argnums=2), (counts, offsets, 20)),
    ("yours", fit, (counts, offsets, 0.5, 20)),
):
    compiling, running = time_call(function, *arguments)
    print(f"{name:>8}: {compiling:.2f} s to compile, {1e3 * running:.1f} ms a call")

# %% [markdown]
# The scan compiles one iteration instead of twenty, and its calls take about as long as those of
# the unrolled program.
#
# Compiled programs are lost when the process ends. The [persistent compilation
# cache](https://docs.jax.dev/en/latest/persistent_compilation_cache.html)
# (`JAX_COMPILATION_CACHE_DIR`) keeps them for the next one, which traces and lowers again, and
# skips the compiling.
#
# To take away:
#
# * Warm up, wait for the result, take the median.
# * A program should be short, hold no data, and be made once.
# * Ahead of time, call what `.compile()` returned.
#
# The JAX documentation has more: [ahead-of-time lowering and
# compilation](https://docs.jax.dev/en/latest/201/aot.html).
#
# ## One question
#
# A colleague writes: "`start = time.time(); f(x); print(time.time() - start)` gives 800 ms for the
# first call of my jitted `f`, and 0.1 ms for the second. So compiling takes 799.9 ms, and `f` takes
# 0.1 ms." What would you doubt in these two conclusions, why, and what should be measured instead?

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# Both, the second most. The call returns before the result is ready, so 0.1 ms is the time of the
# dispatch: `f` may take far longer. The 800 ms hold tracing and compiling, and some of the run or
# none of it, so the difference is not the time of compiling either. Warm up once, wait for the
# result with `jax.block_until_ready` before the clock is stopped, and take the median of several
# calls; the first call beyond that median is what tracing and compiling cost.
#
# *Grading.* 1 point: 0.1 ms is the dispatch, because JAX returns before the computation is done.
# 1 point: `block_until_ready` (or using the values) inside the timed part, after a warm-up. The
# doubt about 799.9 ms, or the median, makes up for a weak statement of either.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Two small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `rates(Y, depths)` divides the counts of each sample by its depth. The result is right, and
# must stay right. But the function compiles at each call: it must be jitted, and compile once for
# each shape.


# %% solution="rates"
### BEGIN SOLUTION
@jax.jit
def rates(Y, depths):
    return Y / depths[:, None]


### END SOLUTION
### BEGIN STARTER
# def divide(depths, Y):
#     return Y / depths[:, None]
#
#
# def rates(Y, depths):
#     return jax.jit(partial(divide, depths))(Y)
### END STARTER

# %% check="rates"
check("rates")

# %% [markdown]
# **2.** `seconds_when_warm(function, x)` times a call of any function without its compilation. It
# returns the time of the first call.


# %% solution="seconds_when_warm"
### BEGIN SOLUTION
def seconds_when_warm(function, x):
    jax.block_until_ready(function(x))
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start


### END SOLUTION
### BEGIN STARTER
# def seconds_when_warm(function, x):
#     start = time.perf_counter()
#     jax.block_until_ready(function(x))
#     return time.perf_counter() - start
### END STARTER

# %% check="seconds_when_warm"
check("seconds_when_warm")
