# %% [markdown]
# # Precision: how many digits, and what they cost
#
# **Change one dtype, and a running sum loses half of the oaks' counts.**
#
# **You will learn** which dtype a result has, where digits get lost silently, and why float64 is
# slower. About 30 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from plnkit import load_oaks
from plnkit.machine import median_seconds

oaks = load_oaks()
counts = jnp.asarray(oaks.Y)


# %% tags=["demo"]
@partial(jax.jit, static_argnames="dtype")
def running_sum(counts, dtype):
    flat = counts.astype(jnp.bfloat16).ravel()
    return lax.scan(lambda total, y: (total + y.astype(dtype), None), jnp.zeros((), dtype), flat)[0]


right, lost = running_sum(counts, jnp.float32), running_sum(counts, jnp.bfloat16)
print(f"float32 {right:.0f}, bfloat16 {lost:.0f}: {lost / right:.0%}")

# %% [markdown]
# ## See it fail
#
# A number in bfloat16 takes half the memory of a float32, so people store data and parameters in it.
# Then a step of a fit meets a learning rate:


# %%
@jax.jit
def three_steps(x, rate):
    return lax.scan(lambda x, _: (x - rate * x, None), x, length=3)[0]


x = jnp.ones(4, jnp.bfloat16)
three_steps(x, 0.1)

# %% tags=["raises-exception"]
three_steps(x, np.float32(0.1))

# %% [markdown]
# ```
# TypeError: scan body function carry input and carry output must have equal types, but they differ:
#
# The input carry x has type bfloat16[4] but the corresponding output carry component has type
# float32[4], so the dtypes do not match.
# ```
#
# It is the same number with another dtype. Without the scan nothing would fail, but from there on
# the result would be float32 and take twice the memory.
#
# ## Why
#
# **Weak types.** A plain number of Python, such as `0.1`, has a *weak* type: it adapts to the dtype
# of the array. An array or a number with a dtype of its own, such as `np.float32(0.1)` or
# `jnp.float32(0.1)`, has a *strong* one, and bfloat16 with a strong float32 gives float32.
# **Predict before you run.** What is the dtype of `x * np.float64(2)`, where `x` is bfloat16?

# %% tags=["demo"]
predict("the dtype of x * np.float64(2)", ..., among=["bfloat16", "float32", "float64"])

# %% tags=["demo"]
for name, number in (("2.0", 2.0), ("np.float32(2)", np.float32(2))):
    print(f"x * {name:14} {(x * number).dtype}")
outcome("the dtype of x * np.float64(2)", str((x * np.float64(2)).dtype))

# %% [markdown]
# There is no float64 in JAX unless you switch it on, as below: float32 takes its place. Such
# numbers are common: `np.mean([1, 3])` and `np.sqrt(4)` both return `np.float64(2)`.
#
# **Digits.** The next cell shows what each dtype can hold. **Predict before you run.** In bfloat16,
# what is 256 + 1?

# %% tags=["demo"]
predict("256 + 1 in bfloat16", ...)

# %% tags=["demo"]
for dtype in (jnp.bfloat16, jnp.float16, jnp.float32, jnp.float64):
    about = jnp.finfo(dtype)
    print(
        f"{about.dtype!s:9} {about.bits // 8} bytes, steps of {float(about.eps):.1e} at 1,", end=" "
    )
    print(f"largest {float(about.max):.1e}")
outcome("256 + 1 in bfloat16", float(jnp.bfloat16(256) + jnp.bfloat16(1)))

# %% [markdown]
# bfloat16 has the range of float32 and only 8 significant bits. Above 256 it holds no odd number,
# so adding 1 changes nothing. In the same way, a parameter in bfloat16 stops moving when its steps
# get small. The usual cure: store *data* in bfloat16, and keep in float32 what is summed up or
# updated many times. (`jnp.sum` itself does so: it adds up in float32, and rounds the total.)
#
# **Matrix products.** A float32 product may be less precise than float32. On recent GPUs and on
# TPUs, JAX rounds the inputs of products to fewer bits by default, because their hardware is many
# times as fast that way. `jnp.matmul(a, b, precision="highest")` asks for all bits, and so does
# `with jax.default_matmul_precision("highest"):` for all products in it. A CPU computes them in
# full. The next cell imitates the coarsest of these roundings.

# %% tags=["demo"]
logs = jnp.log1p(counts)
exact = np.asarray(logs, np.float64).T @ np.asarray(logs, np.float64)  # NumPy has float64
short = logs.astype(jnp.bfloat16)
products = {
    "float32": logs.T @ logs,
    "inputs in bfloat16, sums in float32": jnp.matmul(
        short.T, short, preferred_element_type=jnp.float32
    ),
    "all in bfloat16": short.T @ short,
}
for name, product in products.items():
    error = np.abs(np.asarray(product, np.float64) - exact).max() / exact.max()
    print(f"{name:37} error {error:.0e} of the largest entry")

# %% [markdown]
# For a neural network the second is fine. A covariance that is to be inverted needs the first.
#
# **float64.** `jax.config.update("jax_enable_x64", True)` at the top of a program switches it on,
# before the first array is made. Without it, an array of float64 silently becomes float32. For a
# few lines there is `with jax.enable_x64(True):`.
#
# ## Your task: half the memory, all the digits
#
# `fit(Y, O, rate, steps)` fits the log abundance of each taxon by gradient descent, and returns it
# with the loss before each step. The counts `Y` and offsets `O` now arrive in bfloat16. The `rate`
# is a float32 array, as before. `fit` fails with the error above. Repair it so that
#
# * it returns the estimate and the losses in float32;
# * they are as accurate as float32 allows: nothing but the data is rounded to bfloat16;
# * it works for data in float32, too;
# * it stays one jitted function, pure, with `steps` a plain Python integer, and its program does not
#   grow with `steps`.


# %% solution="precision"
### BEGIN SOLUTION
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros(Y.shape[1], jnp.float32), length=steps)


### END SOLUTION
### BEGIN STARTER
# def poisson_loss(b, Y, O):
#     eta = O + b
#     return (jnp.exp(eta) - Y * eta).mean()
#
#
# @partial(jax.jit, static_argnames="steps")
# def fit(Y, O, rate, steps):
#     def step(b, _):
#         loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
#         return b - rate * slope, loss
#
#     return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="precision"
check("precision")

# %% [markdown]
# Once it passes, compare with the repair that is quicker to write: everything in bfloat16.

# %% tags=["demo"]
import matplotlib.pyplot as plt


@partial(jax.jit, static_argnames="steps")
def fit_all_short(Y, O, rate, steps):
    def loss(b):
        eta = O + b
        return (jnp.exp(eta) - Y * eta).mean()

    def step(b, _):
        value, slope = jax.value_and_grad(loss)(b)
        return b - rate.astype(Y.dtype) * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)


Y, O = counts.astype(jnp.bfloat16), jnp.asarray(oaks.O - 6.0, jnp.bfloat16)
try:
    for name, one in (("yours", fit), ("all in bfloat16", fit_all_short)):
        losses = []
        for steps in (10, 100, 400):
            b, _ = one(Y, O, jnp.float32(0.2), steps)
            eta = oaks.O - 6.0 + np.asarray(b, np.float64)  # NumPy, in float64
            losses.append((np.exp(eta) - oaks.Y * eta).mean())
        plt.semilogx((10, 100, 400), losses, "o-", label=name)
        print(f"{name:16} loss after 400 steps: {losses[-1]:.4f}")
    plt.xlabel("steps")
    plt.ylabel("loss of the estimate")
    plt.legend()
    plt.show()
except TypeError:
    print("Repair fit first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# **Predict before you run.** How many times as long does a matrix product take in float64 as in
# float32?

# %% tags=["demo"]
predict("times as long, a product in float64", ...)

# %% tags=["demo"]
work = {  # operation, argument's shape, bytes moved per byte of it, arithmetic operations
    "x + 1": (lambda x: x + 1, (2000, 2000), 2, 4e6),
    "x @ x": (lambda x: x @ x, (700, 700), 2, 2 * 700**3),
}
times = {}
with jax.enable_x64(True):
    for name, (operation, shape, traffic, operations) in work.items():
        for dtype in (jnp.float32, jnp.float64):
            array = jnp.ones(shape, dtype)
            seconds = median_seconds(partial(jax.jit(operation), array), 15)
            times[name, dtype] = seconds
            print(f"{name} in {array.dtype}: {1e3 * seconds:6.1f} ms,", end=" ")
            print(f"{traffic * array.nbytes / seconds / 1e9:6.1f} GB/s,", end=" ")
            print(f"{operations / seconds / 1e9:6.1f} billion operations a second")
ratio = times["x @ x", jnp.float64] / times["x @ x", jnp.float32]
outcome("times as long, a product in float64", round(ratio, 1), within=0.3)

# %% [markdown]
# Here is why. `x + 1` moves about as many *bytes* a second in both: float64 numbers are twice as
# long, so half as many get through. `x @ x` reuses what it has read, so it waits for arithmetic: a
# CPU instruction works on a register of fixed width, which holds half as many float64 numbers. Many
# GPUs have far fewer units for float64, and there the factor is larger.
#
# To take away:
#
# 1. Python numbers adapt to an array; numbers with a dtype of their own may change that of the
#    result.
# 2. Store data in bfloat16 if you must, but sum up and update in float32.
# 3. Ask for `precision="highest"` where a product will be inverted, and for float64 where you have
#    seen that float32 is not enough.
#
# The JAX documentation has more: [type
# promotion](https://docs.jax.dev/en/latest/101/type_promotion.html), and [matmul
# precision](https://docs.jax.dev/en/latest/201/precision.html).
