# %% [markdown]
# # What jit sees: tracing, prints and jaxprs
#
# **One decorator, and from the second call on you get the same numbers more than ten times as
# fast.**
#
# **You will learn** when Python runs your function and when it does not, what it is given in place
# of numbers, and how to read what JAX recorded. About 35 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp

jax.__version__

# %% tags=["demo"]
import time

import matplotlib.pyplot as plt

from plnkit.machine import median_seconds

python_ran = []


def grow(x):
    python_ran.append(x.shape)  # a note to ourselves, each time that Python runs these lines
    for _ in range(30):
        x = x + 0.1 * x * (1 - x)
    return x


jitted_grow = jax.jit(grow)
short, long = jnp.linspace(0, 1, 100), jnp.linspace(0, 1, 200)
plt.figure(figsize=(7, 3))
for call, x in enumerate([short, short + 1, short, long, short, long], start=1):
    python_ran.clear()
    start = time.perf_counter()
    jax.block_until_ready(jitted_grow(x))  # wait for the result
    milliseconds = 1e3 * (time.perf_counter() - start)
    plt.bar(f"call {call}\n[{x.size}]", milliseconds, color="C1" if python_ran else "C0")

plain = 1e3 * median_seconds(lambda: grow(short), 9)
later = 1e3 * median_seconds(lambda: jitted_grow(short), 9)
plt.axhline(plain, color="k", linestyle="--", label="without jit")
plt.yscale("log")
plt.ylabel("milliseconds")
plt.title("orange: Python ran")
plt.legend()
print(f"without jit {plain:.2f} ms, with jit {later:.3f} ms: {plain / later:.0f} times as fast")
print(f"largest difference of the results: {jnp.abs(grow(short) - jitted_grow(short)).max():.1e}")

# %% [markdown]
# We called a jitted function six times, with arrays of 100 and 200 numbers, and Python ran it in
# two of these calls. These two are by far the slowest. The others are below the dashed line, unless
# your computer is busy. Behind this is the one idea that the whole course builds on, and that each
# of the [puzzles](lesson:puzzles) stumbled over.
#
# ## See it fail
#
# Here is the sum of squared errors, with a line that prints how well `a` fits `b`. Without `jit`,
# it works.


# %% tags=["raises-exception"]
@jax.jit
def watched_error(a, b):
    error = jnp.sum((a - b) ** 2)
    print(f"error: {error:.1f}")
    return error


watched_error(jnp.arange(3.0), jnp.ones(3))

# %% [markdown]
# ```
# TypeError: unsupported format string passed to DynamicJaxprTracer.__format__
# ```
#
# When Python came to the `print`, there was no number yet, only a *tracer*.
#
# ## Why
#
# At its first call a jitted function is **traced**: Python runs your function once, with tracers
# in place of the arguments. A tracer has a shape and a dtype, and no value. Every `jax.numpy`
# operation on a tracer is recorded. The recording, called a **jaxpr**, is compiled to a program,
# and only then does that program run on your numbers.
#
# From then on, calls with the same shapes and dtypes run the program. **Your Python code does not
# run again**, and neither does anything in it that JAX did not record: prints, appends, clocks.
#
# **Predict before you run.** How many times will the cell after next print `Python runs`? Write
# your guess in place of the `...`. It is compared with what happens, and never graded.

# %% tags=["demo"]
predict("how many times it prints `Python runs`", ...)

# %% tags=["demo"]
runs = []


@jax.jit
def loud_double(x):
    print("Python runs, x is", x)
    runs.append(x.shape)
    return 2 * x


for numbers in ([1.0, 2.0], [3.0, 4.0], [5.0, 6.0]):
    print("result:", loud_double(jnp.array(numbers)))
outcome("how many times it prints `Python runs`", len(runs))

# %% [markdown]
# ## Reading a jaxpr
#
# `jax.make_jaxpr(f)(x)` shows what is recorded. After `lambda ;` come the inputs, each with dtype
# and shape (`f32[3]`: three float32 numbers, `f32[]`: one). Each line after `let` is one
# *primitive* operation, and `in` gives the result.


# %% tags=["demo"]
def root_mean(x):
    return jnp.sqrt(x.mean())


print(jax.make_jaxpr(lambda x: jnp.exp(x) * root_mean(x))(jnp.ones(3)))

# %% [markdown]
# `root_mean` does not appear: **a function that is called while tracing is traced too**, and its
# operations go into the same recording. It needs no `jit` of its own.
#
# `mean` does not appear either. The functions of `jax.numpy` are made of stricter ones in
# [`jax.lax`](https://docs.jax.dev/en/latest/jax.lax.html). A jaxpr shows this layer: `mean` became
# `reduce_sum` and `div`. XLA, the compiler, turns all of them into one program for your CPU or GPU.
#
# ## Your task: predict
#
# The questions are about these two functions. Answer each as if nothing had been called before;
# only the last one continues from the one before it. (JAX reuses what it traced for a function,
# even if you write `jax.jit(f)` again. To try a question, call `jax.clear_caches()` first.)

# %%
three, four = jnp.array([1.0, 2.0, 3.0]), jnp.array([1.0, 2.0, 3.0, 4.0])
weight = 2


def sum_squared_error(a, b):
    print("Python runs, a is", a)
    return jnp.sum((a - b) ** 2)


def weighted_sum(x):
    return weight * jnp.sum(x)


# %% [markdown]
# | key | question |
# | --- | --- |
# | `prints_plain` | Without `jit`, `sum_squared_error` is called with `(three, three)`, `(three, three + 1)` and `(three, three + 2)`. How many lines are printed? |
# | `prints_jitted` | The same three calls of `jax.jit(sum_squared_error)`. How many lines? |
# | `prints_shapes` | `jax.jit(sum_squared_error)` is called with `(three, three)`, `(four, four)`, `(three, three)` and `(four, four)`. How many lines? |
# | `prints_dtypes` | `integers` is `three.astype(jnp.int32)`. `jax.jit(sum_squared_error)` is called with `(three, three)`, `(integers, integers)` and `(three, three)`. How many lines? |
# | `shown` | What does the line printed under `jit` show for `a`: `"numbers"` or `"tracer"`? |
# | `primitives` | The primitives in the jaxpr of `sum_squared_error`, in order, as a list of three names. Write them as the jaxpr does: a square is `"integer_pow"`. |
# | `primitives_jitted` | The primitives at the top level of the jaxpr of `jax.jit(sum_squared_error)`, as a list: those of its inner jaxpr do not count. |
# | `result_shape` | The shape of the result of `sum_squared_error`, as a list such as `[3]`. |
# | `old_weight` | `f = jax.jit(weighted_sum)`; `f(three)` is called. Then `weight = 10` is set, and `f(three)` called again. What does the second call return? |
# | `new_weight` | After that, `f(four)` is called. What does it return? |

# %% solution="tracing"
### BEGIN SOLUTION
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "prints_plain": None,
#     "prints_jitted": None,
#     "prints_shapes": None,
#     "prints_dtypes": None,
#     "shown": None,
#     "primitives": None,
#     "primitives_jitted": None,
#     "result_shape": None,
#     "old_weight": None,
#     "new_weight": None,
# }
### END STARTER

# %% [markdown]
# Run the check as often as you like. Guess first: the cell below it shows many of the answers.

# %% check="tracing"
check("tracing")

# %% tags=["demo"]
print("--- two shapes, four calls:")
jax.clear_caches()
jitted = jax.jit(sum_squared_error)
for x in (three, four, three, four):
    jitted(x, x)

print("--- jaxprs:")
print(jax.make_jaxpr(sum_squared_error)(three, three))
print(jax.make_jaxpr(jax.jit(sum_squared_error))(three, three))

print("--- a global that changes:")
jitted = jax.jit(weighted_sum)
weight = 2
print(jitted(three))
weight = 10
print(jitted(three), jitted(four))
weight = 2

# %% [markdown]
# ## Your task: get the numbers out
#
# jit works for **pure** functions. A pure function gets everything through its arguments, gives
# everything back with `return`, and does nothing else: it prints nothing (not even by
# `jax.debug.print` or another callback), changes nothing, and reads no variable that may change.
#
# `error_and_largest` below fails like `watched_error` above. Repair it so that
#
# * it returns a pair: the sum of squared errors, and the largest absolute difference, for arrays of
#   any shape;
# * it stays one jitted function and is pure: printing is left to the caller.
#
# In all tasks, *one jitted function* means that one `jax.jit` holds all of the computing. You may
# wrap it in a plain function that only calls it. *Any shape* means any with at least one entry.


# %% solution="tracing_print"
### BEGIN SOLUTION
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    return jnp.sum(difference**2), jnp.max(jnp.abs(difference))


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def error_and_largest(a, b):
#     difference = a - b
#     error = jnp.sum(difference**2)
#     largest = jnp.max(jnp.abs(difference))
#     print(f"error {error:.1f}, largest difference {largest:.1f}")
#     return error
### END STARTER

# %% check="tracing_print"
check("tracing_print")

# %% [markdown]
# To look inside while something is still wrong, use `jax.debug.print("{x}", x=x)`. It is recorded
# like any operation and prints the numbers at every call. Remove it afterwards: it is a side
# effect, and it costs time.
#
# ## What did it cost?
#
# The orange bars at the top show it: you pay for tracing and compiling once for each combination of
# shapes and dtypes. A program that runs a thousand times earns that back. One that runs once may
# not.
#
# To take away:
#
# 1. Python runs while tracing, with tracers. Whatever it prints, stores or reads then is not
#    repeated at later calls.
# 2. Each new combination of shapes and dtypes is traced and compiled once, and kept.
# 3. Numbers leave a jitted function in one way only: it returns them.
#
# The JAX documentation has more: [how transformations work:
# tracing](https://docs.jax.dev/en/latest/101/transformations.html), and
# [`jax.make_jaxpr`](https://docs.jax.dev/en/latest/_autosummary/jax.make_jaxpr.html).
#
# ## One question
#
# To watch a fit of 1000 steps, a colleague puts `print(loss)` into the jitted step. Only one line
# appears, `JitTracer(float32[])`, and the colleague concludes that only one step was made. What has
# really happened, and how can the losses be seen? Two or three sentences.

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# All 1000 steps were made. Python ran the step once, while tracing, with a tracer for the loss, so
# the line was printed once and without a number; the compiled program, which holds no print, then
# ran 1000 times. Let the step return the loss, keep what it returns and print that outside
# (`jax.debug.print` would do for a quick look).
#
# *Grading.* 1 point: the print belongs to tracing, which happens once, and the compiled program ran
# 1000 times. 1 point: return the loss and print it outside; `jax.debug.print` is as good. No point
# for "jit removes prints because they are slow", and none for taking jit away.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `log_counts(counts)` returns the logarithm of `counts + 1`, entry by entry. It fails.


# %% solution="log_counts"
### BEGIN SOLUTION
@jax.jit
def log_counts(counts):
    return jnp.log(counts + 1)


### END SOLUTION
### BEGIN STARTER
# import numpy as np
#
#
# @jax.jit
# def log_counts(counts):
#     return np.log(counts + 1)
### END STARTER

# %% check="log_counts"
check("log_counts")

# %% [markdown]
# **2.** `largest_share(counts)` returns the largest share of the total, as a scalar array, of
# shape `()`. It fails.


# %% solution="largest_share"
### BEGIN SOLUTION
@jax.jit
def largest_share(counts):
    return jnp.max(counts / counts.sum())


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def largest_share(counts):
#     return float(jnp.max(counts / counts.sum()))
### END STARTER

# %% check="largest_share"
check("largest_share")

# %% [markdown]
# **3.** `add_offset(counts, offset)` returns `log(counts + 1) + offset`, for any `offset`, with one
# program. As it stands, it adds the same offset at every call.


# %% solution="add_offset"
### BEGIN SOLUTION
@jax.jit
def add_offset(counts, offset):
    return jnp.log(counts + 1) + offset


### END SOLUTION
### BEGIN STARTER
# current_offset = 0.0
#
#
# def add_offset(counts, offset):
#     global current_offset
#     current_offset = offset
#     return add_current_offset(counts)
#
#
# @jax.jit
# def add_current_offset(counts):
#     return jnp.log(counts + 1) + current_offset
### END STARTER

# %% check="add_offset"
check("add_offset")
