# %% [markdown]
# # Why does it compile for so long?
#
# **You will learn** to find out where the time goes before a program runs, three reasons why
# compiling takes long, and what the persistent cache keeps for the next process. About 30 minutes.
#
# Hold B fixed and let Omega = I: then the variational parameters M and S of a PLN can be fitted
# entry by entry. The fit below returns the right numbers. But its first call takes seconds, and so
# does every later one. With 1000 iterations you would wait for minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import time
from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy.special import gammaln

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O)
counts.shape


# %%
def step(M, log_S, Y, O, rate):
    """One damped Newton step for each entry; also the ELBO before it."""
    S2, expected = jnp.exp(2 * log_S), jnp.exp(O + M + jnp.exp(2 * log_S) / 2)
    elbo = jnp.sum(Y * (O + M) - expected - gammaln(Y + 1) + log_S - (M**2 + S2 - 1) / 2)
    move = (Y - expected - M) / (expected + 1)
    log_move = 1 / (2 * S2 * (expected + 1)) - 1 / 2
    return M + rate * jnp.clip(move, -1, 1), log_S + rate * jnp.clip(log_move, -1, 1), elbo


# %% [markdown]
# ## See it fail
#
# A loop in Python, and nothing else. The time before the program runs has three stages, and each
# can be timed by itself: **tracing** runs your Python and writes down its operations, **lowering**
# translates them for the compiler, and **compiling** makes the program.
#
# **Predict before you run.** With four times as many iterations, how much longer is the text of the
# program?

# %% tags=["demo"]
predict("how many times as long the text is", ...)


# %% tags=["demo"]
def unrolled(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)


def time_stages(jitted, *arguments):
    """Print the seconds of each stage, and the length of the lowered program's text."""
    begin = time.perf_counter()
    traced = jitted.trace(*arguments)
    after_trace = time.perf_counter()
    lowered = traced.lower()
    after_lowering = time.perf_counter()
    lowered.compile()
    end = time.perf_counter()
    print(
        f"trace {after_trace - begin:.2f} s, lower {after_lowering - after_trace:.2f} s, ", end=""
    )
    print(f"compile {end - after_lowering:.2f} s, {len(lowered.as_text()) / 1000:.0f} kB of text")


for n_iterations in (3, 12):
    print(f"{n_iterations:2} iterations: ", end="")
    time_stages(jax.jit(unrolled, static_argnums=3), counts, offsets, 0.5, n_iterations)

# %% [markdown]
# Python runs its loop while tracing, so the program has every iteration in it, one after the other:
# it is nearly four times as long. It takes longer to compile, and compiling is the slowest stage.
#
# ## Why
#
# Three things make compiling slow:
#
# * **The program is long.** An unrolled loop is the usual reason.
# * **The program holds data.** An array that a jitted function uses without getting it as an argument
#   is *closed over*: its numbers become part of the program. The compiler may even compute with them
#   while it compiles, which is called *constant folding*, and it is far slower at that than the
#   program. And the program is of no use for other data.
# * **The program is made again.** jit finds a program by the function *object*. A `partial`, a
#   `lambda` or an inner function that is made in each call is a new one each time.
#
# **Predict before you run.** The counts have 116 x 114 entries of 4 bytes, which is 53 kB. How long
# is the program that sums them, if they are closed over?

# %% tags=["demo"]
closed_over = jax.jit(lambda: jnp.sum(counts))
as_argument = jax.jit(lambda Y: jnp.sum(Y))
print(f"closed over: {len(closed_over.lower().as_text()) / 1000:6.1f} kB of text")
print(f"as argument: {len(as_argument.lower(counts).as_text()) / 1000:6.1f} kB of text")

# %% [markdown]
# In the text, each byte takes two characters. For the oaks, this is little. For the oaks repeated 100
# times, it is 10 MB of text.
#
# ## Your task
#
# `fit` below does all three. Repair it, so that
#
# * it returns what it returns now: M, log S, and the ELBO before each iteration;
# * it is **one** jitted function, and pure;
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

# %% [markdown]
# Run the check as often as you like.

# %% check="slow_compile"
check("slow_compile")

# %% [markdown]
# ## The next process
#
# Programs are kept in memory, and end with the process. JAX can also keep them in a folder: this is
# the **persistent compilation cache**. By default it keeps only programs that took a second or more
# to compile; the next cell sets this to 0. It runs the same script in two new processes, with a
# folder that is deleted afterwards.
#
# **Predict before you run.** Which of the stages does the second process skip?

# %% tags=["demo"]
import os
import subprocess
import sys
import tempfile

SCRIPT = """
import jax, jax.numpy as jnp
hits = []
jax.monitoring.register_event_listener(
    lambda event, **_: hits.append(event) if event == "/jax/compilation_cache/cache_hits" else None
)
traced = []
def total(x):
    traced.append(x)
    return jnp.sum(jnp.linalg.inv(jnp.eye(50) + x))
jax.block_until_ready(jax.jit(total)(2.0))
print("traced" if traced else "not traced,", "and", "loaded" if hits else "compiled")
"""
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    settings = {
        "JAX_COMPILATION_CACHE_DIR": folder,
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "JAX_ENABLE_COMPILATION_CACHE": "true",
        "JAX_PLATFORMS": "cpu",
    }
    for process in ("first", "second"):
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(
            command, env={**os.environ, **settings}, capture_output=True, text=True, check=True
        )
        print(f"{process:>6} process:", done.stdout.strip())

# %% [markdown]
# Only compiling is skipped: each process traces and lowers anew, since the key in the folder is
# made from the lowered program. So the cache does not help a program that takes long to trace, or
# that holds different data each time.

# %% [markdown]
# ## What did it cost?
#
# Almost nothing. But XLA cannot optimize a scan across its iterations, as it can an unrolled
# loop. The next cell times two calls. With the function that you were given, the second call is
# as slow as the first.

# %% tags=["demo"]
for rate in (0.5, 0.25):
    begin = time.perf_counter()
    M, log_S, elbos = jax.block_until_ready(fit(counts, offsets, rate, 10))
    print(f"rate {rate}: {time.perf_counter() - begin:.3f} s, ELBO {elbos[-1]:.0f} nats")

# %% [markdown]
# To take away: a program should be short, and hold no data, and be made once. Time the stages before
# you change anything.
#
# The JAX documentation has more: [ahead-of-time
# lowering](https://docs.jax.dev/en/latest/201/aot.html), and the [persistent compilation
# cache](https://docs.jax.dev/en/latest/persistent_compilation_cache.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. The
# results are right, and must stay right. Each function must be jitted, and compile once for each
# shape (and, in drill 1, each number of steps).
#
# **1.** `spread(moves, shares, steps)` returns where animals are after `steps` moves between sites.
# `steps` is a plain Python integer. Keep the program short, however many steps there are.


# %% solution="spread"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="steps")
def spread(moves, shares, steps):
    return jax.lax.fori_loop(0, steps, lambda _, shares: moves @ shares, shares)


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="steps")
# def spread(moves, shares, steps):
#     for _ in range(steps):
#         shares = moves @ shares
#     return shares
### END STARTER

# %% check="spread"
check("spread")

# %% [markdown]
# **2.** `rates(Y, depths)` divides the counts of each site by its depth. It compiles at each call.


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
# **3.** `centered_logs(Y)` subtracts from the logarithms of `Y + 1` their means by taxon. Its program
# holds the counts.


# %% solution="centered_logs"
### BEGIN SOLUTION
@jax.jit
def centered_logs(Y):
    logs = jnp.log(Y + 1)
    return logs - logs.mean(axis=0)


### END SOLUTION
### BEGIN STARTER
# def centered_logs(Y):
#     @jax.jit
#     def work():
#         logs = jnp.log(Y + 1)
#         return logs - logs.mean(axis=0)
#
#     return work()
### END STARTER

# %% check="centered_logs"
check("centered_logs")
