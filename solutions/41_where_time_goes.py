# %% [markdown]
# # Where does the time go?
#
# **Change three lines of a Python loop, and the same steps take less than half the time.**
#
# **You will learn** which lines of a training loop wait for the device, how to see that in a profile,
# and how much memory a program needs. About 25 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import tempfile
import time
from collections import Counter
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks
from plnkit.machine import median_seconds

oaks = load_oaks()
batches = [np.ascontiguousarray(oaks.Y[i % 4 :: 4]) for i in range(200)]  # 29 sites each


# %% tags=["demo"]
@jax.jit
def step(b, Y):
    loss, slope = jax.value_and_grad(lambda b: (jnp.exp(b) - Y * b).mean())(b)
    return b - slope, loss


@jax.jit
def step_and_norm(b, Y):
    b, loss = step(b, Y)
    return b, loss, jnp.sqrt(jnp.sum(b**2))


def slow():
    b, losses = jnp.zeros(oaks.Y.shape[1]), []
    for Y in batches:  # 1. sends the same arrays to the device again and again
        b, loss = step(b, Y)
        norm = jnp.sqrt(jnp.sum(b**2))  # 2. runs three more programs
        losses.append((float(loss), float(norm)))  # 3. waits for them
    return losses


on_device = [jax.device_put(Y) for Y in batches[:4]]
b = jnp.zeros(oaks.Y.shape[1])


def quick():
    b, losses = jnp.zeros(oaks.Y.shape[1]), []
    for i in range(len(batches)):
        b, loss, norm = step_and_norm(b, on_device[i % 4])
        losses.append((loss, norm))
    return jax.device_get(losses)


times = {loop.__name__: median_seconds(loop, 5) for loop in (slow, quick)}
for name, seconds in times.items():
    print(f"{name:6} {1e6 * seconds / len(batches):6.0f} microseconds a step")
print(f"{times['slow'] / times['quick']:.1f} times as fast")

# %% [markdown]
# All three lines of `slow` lead to reports that "JAX is slow", and a Python profiler points at the
# wrong line.
#
# ## See it fail
#
# JAX can refuse to send data that you did not explicitly ask it to send:

# %% tags=["raises-exception"]
with jax.transfer_guard("disallow"):
    step(b, batches[0])

# %% [markdown]
# ```
# JaxRuntimeError: INVALID_ARGUMENT: Disallowed host-to-device transfer: aval=ShapedArray(...
# ```
#
# The batch is a NumPy array in the memory of the *host*, so each call sends it to the device.
# `jax.device_put` sends it once. (An *aval* is JAX's word for a shape and dtype without the
# values.)
#
# ## Why
#
# A call of a jitted function starts the program, and returns arrays that are still being computed:
# **asynchronous dispatch**. While the device computes, Python may prepare and start the next step. The
# two work at the same time, as long as Python does not ask for a *value*. All of these ask, and wait:
#
# * `float(loss)`, `loss.item()`, `int(...)`, `bool(...)`, and so every `if loss < best:`;
# * `print(loss)`, and any f-string with it;
# * `np.asarray(loss)`, `jax.device_get(loss)`, and of course `jax.block_until_ready(loss)`.
#
# If Python asks at every step, it idles until the device has finished the step, and then the device
# idles until Python has started the next one. **Predict before you run.** The next cell measures
# two lines of a loop with a large step: the `"call"` of the step, and the `"float"` of its result.
# Which takes longer?

# %% tags=["demo"]
predict("the line that takes longer", ..., among=["call", "float"])


# %% tags=["demo"]
@jax.jit
def large_step(x):
    for _ in range(8):
        x = x @ x / 1000
    return x, x.sum()


x = jnp.ones((600, 600))
jax.block_until_ready(large_step(x))
spent = {"call": 0.0, "float": 0.0}
for _ in range(10):
    begin = time.perf_counter()
    x, total = large_step(x)
    middle = time.perf_counter()
    float(total)
    spent["call"] += middle - begin
    spent["float"] += time.perf_counter() - middle
print({line: f"{100 * seconds:.2f} ms" for line, seconds in spent.items()}, "each time")
outcome("the line that takes longer", max(spent, key=lambda line: spent[line]))

# %% [markdown]
# A Python profiler blames `float`, which only waits for the step.
#
# ### The profiler, in three lines
#
# ```python
# with jax.profiler.trace("/tmp/profile"):
#     result = fit(data)
#     jax.block_until_ready(result)
# ```
#
# The trace shows each program, each transfer and each wait on a time line, in
# [Perfetto](https://ui.perfetto.dev) or XProf. Warm up first, or you will see the compiler. The next
# cell reads a trace in Python, and prints what was longest in each thread.


# %% tags=["demo"]
def print_longest(folder):
    (file,) = Path(folder).rglob("*.xplane.pb")
    for plane in jax.profiler.ProfileData.from_file(str(file)).planes:
        for line in plane.lines:
            total = Counter()
            for event in line.events:
                if not event.name.startswith("$"):  # with $: Python functions
                    total[event.name[:44]] += event.duration_ns / 1e6
            for name, milliseconds in total.most_common(3):
                print(f"{line.name[:24]:24} {name:44} {milliseconds:8.2f} ms")


with tempfile.TemporaryDirectory() as folder:
    with jax.profiler.trace(folder):
        slow()
    print_longest(folder)

# %% [markdown]
# ### Memory
#
# Two questions are easy to answer. To see how much memory one program needs, ask the compiled
# program. To see which arrays you keep alive, ask `jax.live_arrays()`. **Predict before you run.**
# A loop keeps the state of each of 50 steps in a list, "for later". How many times the size of one
# state is then alive?

# %% tags=["demo"]
predict("times the size of one state", ...)

# %% tags=["demo"]
needed = large_step.lower(x).compile().memory_analysis()
print("arguments", needed.argument_size_in_bytes, "bytes, results", needed.output_size_in_bytes)
print("scratch memory", needed.temp_size_in_bytes, "bytes: between arguments and results")

before = sum(array.nbytes for array in jax.live_arrays())
state, history = jnp.zeros(100_000), []
for _ in range(50):
    state = state + 1
    history.append(state)
alive = sum(array.nbytes for array in jax.live_arrays()) - before
outcome("times the size of one state", round(alive / state.nbytes))

# %% [markdown]
# An array stays as long as any name, list or exception refers to it. In a notebook, `_` and `Out` do so
# as well. A history of losses is harmless: 4 bytes a step.
#
# ## Your task: a loop that does not wait
#
# `train(step, state, batches, every, log)` calls `step(state, batch)` once for each batch, which
# returns a new state and a loss. It returns the last state and a list of the losses, as Python
# numbers. Once in `every` steps it calls `log(steps, mean)`, with the number of steps made so far
# and the mean of the last `every` losses. All of that is right, but it waits for each step. Repair
# it so that
#
# * Python does not ask for any loss or state, and waits for none, until it is time to log or all
#   steps have been started;
# * `log` is called as now, before the next step is started, with the same numbers up to rounding.
#   It takes Python numbers;
# * the result stays as it is: the state and a list of `float`.
#
# `step` is jitted already. `batches` may be any iterable, even one that can be iterated over only
# once.


# %% solution="where_time_goes"
### BEGIN SOLUTION
def train(step, state, batches, every, log):
    losses, waiting = [], []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        waiting.append(loss)
        if number % every == 0:
            window = [float(loss) for loss in jax.device_get(waiting)]
            log(number, sum(window) / every)
            losses, waiting = losses + window, []
    return state, losses + [float(loss) for loss in jax.device_get(waiting)]


### END SOLUTION
### BEGIN STARTER
# def train(step, state, batches, every, log):
#     losses = []
#     for number, batch in enumerate(batches, 1):
#         state, loss = step(state, batch)
#         losses.append(float(loss))
#         if number % every == 0:
#             log(number, sum(losses[-every:]) / every)
#     return state, losses
### END STARTER

# %% [markdown]
# The check calls `train` with a step whose losses notice when their value is asked for. Run it as
# often as you like.

# %% check="where_time_goes"
check("where_time_goes")

# %% [markdown]
# ## What did it cost?
#
# Nothing but a list of arrays of 4 bytes. Here is what it gains, in microseconds for each step. The
# gain is largest where a step is short.

# %% tags=["demo"]
data = [on_device[i % 4] for i in range(200)]
for every in (1, 10, 100):
    seconds = median_seconds(lambda every=every: train(step, b, data, every, lambda *_: None), 5)
    print(f"log every {every:3}: {1e6 * seconds / len(data):6.0f} microseconds a step")

# %% [markdown]
# Before your repair, the three lines were about the same. With a GPU the difference is larger,
# because it is faster than Python. Where the data fit into memory, go further: all steps in one
# `lax.scan`, as in lesson [scan_fit](lesson:scan_fit).
#
# To take away:
#
# 1. A call returns before its result is there. Asking for a value waits.
# 2. Keep losses as arrays, and read them when you log. Send data once, and put small computations into
#    the jitted step.
# 3. Measure: `jax.transfer_guard`, `jax.profiler.trace`, `memory_analysis()`, `jax.live_arrays()`.
#
# The JAX documentation has more: [asynchronous
# dispatch](https://docs.jax.dev/en/latest/async_dispatch.html), and [benchmarking and
# profiling](https://docs.jax.dev/en/latest/201/profiling.html).
