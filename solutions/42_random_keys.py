# %% [markdown]
# # Random keys in loops: one key, one draw
#
# **One more word in the loop: the error of an average of 1000 draws becomes 30 times smaller.**
#
# **You will learn** why a key that is used in `scan` or `vmap` gives the same noise again and again,
# how JAX can find that for you, and three ways to give each step a key of its own. About 30 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

from plnkit.machine import median_seconds

# %% tags=["demo"]
mean, deviation = 1.0, 0.5  # of a log abundance; the mean abundance is exp(mean + deviation**2 / 2)


def average(key, key_of_step):
    """The average abundance of 1000 draws, made one after another."""

    def draw(total, i):
        noise = jax.random.normal(key_of_step(key, i))
        return total + jnp.exp(mean + deviation * noise), None

    return lax.scan(draw, 0.0, jnp.arange(1000))[0] / 1000


keys = jax.random.split(jax.random.key(8), 400)  # the whole thing 400 times
errors = {}
for name, key_of_step in (("the same key", lambda key, i: key), ("fold_in", jax.random.fold_in)):
    averages = jax.jit(jax.vmap(partial(average, key_of_step=key_of_step)))(keys)
    errors[name] = jnp.sqrt(jnp.mean((averages - jnp.exp(mean + deviation**2 / 2)) ** 2))
    print(f"{name:12}: the average of 1000 draws is off by {errors[name]:.3f}")
print(f"{errors['the same key'] / errors['fold_in']:.0f} times smaller")

# %% [markdown]
# Averaging 1000 independent draws should make the error $\sqrt{1000} \approx 32$ times smaller. With
# the same key at each step it stays as large as the error of a single draw. Nothing fails, and the
# result looks plausible. This bug is found again and again in published code: noise that never
# changes, dropout that always drops the same units, privacy noise that cancels out.
#
# ## See it fail
#
# JAX can look for it. Within `with jax.debug_key_reuse(True):`, a program that uses a key twice
# raises an error:

# %% tags=["raises-exception"]
with jax.debug_key_reuse(True):
    jax.jit(partial(average, key_of_step=lambda key, i: key))(jax.random.key(8))

# %% [markdown]
# ```
# KeyReuseError: scan body function leads to key reuse when repeatedly executed, because key constants
# are repeatedly consumed
# ```
#
# ## Why
#
# NumPy's generator changes each time that you draw. A key does not: it is a value, like the number 3,
# and `jax.random.normal(key)` is a pure function of it. The same key gives the same numbers.
#
# * `lax.scan` traces its body once. A key from outside is a constant of the body, the same at each
#   step.
# * `jax.vmap` runs a function for many rows. A key that is not mapped is the same for all rows.
#
# **Predict before you run.** Five sites, one key. How many different numbers are drawn in the next
# cell?

# %% tags=["demo"]
predict("how many different numbers", ...)


# %% tags=["demo"]
def noisy(key, x):
    return x + jax.random.normal(key)


rows = jax.vmap(noisy, in_axes=(None, 0))(jax.random.key(8), jnp.zeros(5))
print(rows)
outcome("how many different numbers", len(set(rows.tolist())))

# %% [markdown]
# To have five, make five keys and map over them: `jax.vmap(noisy)(jax.random.split(key, 5), x)`.
#
# ### Three ways to give each step its own key
#
# | way | in the loop | good for |
# | --- | --- | --- |
# | split before | `lax.scan(step, x, jax.random.split(key, steps))` | the usual case |
# | carry the key | `key, now = jax.random.split(key)` in the body, and return `key` in the carry | `while_loop`, where nobody knows the number of steps |
# | fold in the number | `now = jax.random.fold_in(key, i)` in the body | a run that may be resumed: the noise depends on `i` alone |
#
# Whichever you take, three rules hold. Do not draw twice with one key. Do not draw with a key that you
# also split. Do not add numbers up to make a key: `fold_in(key, i + j)` is the same for step 2 of
# site 3 and for step 3 of site 2. For two numbers, fold in one after the other.
#
# **Predict before you run.** A run of 10 steps with `fold_in` is repeated with 20 steps and the
# same key. Is the noise of step 7 the `"same"` in both, or is it `"other"` noise?

# %% tags=["demo"]
predict("the noise of step 7", ..., among=["same", "other"])


# %% tags=["demo"]
def path(key, steps):
    def step(x, i):
        noise = jax.random.normal(jax.random.fold_in(key, i))
        return 0.9 * x + noise, noise

    return lax.scan(step, 0.0, jnp.arange(steps))[1]


short, long = path(jax.random.key(8), 10), path(jax.random.key(8), 20)
print(short[7], long[7])
outcome("the noise of step 7", "same" if short[7] == long[7] else "other")

# %% [markdown]
# ## Your task: abundances over the years
#
# `simulate(key, z, scale, years)` below simulates log abundances. `z` has a row for each site and a
# column for each taxon. Each year, each entry becomes `0.9 * z` plus noise: independent standard
# normal numbers, times the `scale` of its taxon. The result has one table for each year, not
# including the `z` passed in. But all sites and all years get the same noise. Repair it so that
#
# * the noise is independent between years, between sites and between taxa;
# * it depends on `key` alone: the same key gives the same result, and another key independent noise;
# * no key is used for two draws, or both for a draw and for a split;
# * it stays one jitted function, pure, with `years` a plain Python integer, and its program does not
#   grow with `years`.


# %% solution="random_keys"
### BEGIN SOLUTION
def one_site(key, z, scale):
    return 0.9 * z + scale * jax.random.normal(key, z.shape)


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, key):
        keys = jax.random.split(key, len(z))
        z = jax.vmap(one_site, in_axes=(0, 0, None))(keys, z, scale)
        return z, z

    return lax.scan(year, z, jax.random.split(key, years))[1]


### END SOLUTION
### BEGIN STARTER
# def one_site(key, z, scale):
#     return 0.9 * z + scale * jax.random.normal(key, z.shape)
#
#
# @partial(jax.jit, static_argnames="years")
# def simulate(key, z, scale, years):
#     def year(z, _):
#         z = jax.vmap(one_site, in_axes=(None, 0, None))(key, z, scale)
#         return z, z
#
#     return lax.scan(year, z, length=years)[1]
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="random_keys"
check("random_keys")

# %% [markdown]
# Once it passes, look at one taxon at eight sites. Before your repair, the sites differed only in where
# they began.

# %% tags=["demo"]
import matplotlib.pyplot as plt

begin = jnp.linspace(-3.0, 3.0, 8)[:, None]
plt.plot(simulate(jax.random.key(8), begin, jnp.array([0.5]), 60)[:, :, 0])
plt.xlabel("year")
plt.ylabel("log abundance")
plt.show()

# %% [markdown]
# ## What did it cost?
#
# In a loop in Python, a `split` outside of the jitted step is a program of its own, which has to be
# started at each step. Pass the key in, and split it inside.
#
# **Predict before you run.** How many times as long does a step take when the `split` is outside?

# %% tags=["demo"]
predict("times as long, split outside", ...)


# %% tags=["demo"]
def move(key, z):
    return 0.9 * z + jax.random.normal(key, z.shape)


@jax.jit
def split_and_move(key, z):
    key, now = jax.random.split(key)
    return key, move(now, z)


just_move = jax.jit(move)


def outside(key, z):
    for _ in range(300):
        key, now = jax.random.split(key)
        z = just_move(now, z)
    return z


def inside(key, z):
    for _ in range(300):
        key, z = split_and_move(key, z)
    return z


key, z = jax.random.key(8), jnp.zeros((20, 10))
seconds = {f.__name__: median_seconds(partial(f, key, z), 5) for f in (outside, inside)}
for name, taken in seconds.items():
    print(f"split {name:8} {1e6 * taken / 300:6.0f} microseconds a step")
ratio = seconds["outside"] / seconds["inside"]
outcome("times as long, split outside", round(ratio, 1), within=0.5)

# %% [markdown]
# In a `scan` it makes no such difference: all steps are one program.
#
# To take away:
#
# 1. A key is a value. One draw, one key: in a loop each step needs its own, and in `vmap` each row.
# 2. Split before a `scan`, carry the key in a `while_loop`, fold in the number where a run may be
#    resumed.
# 3. `jax.debug_key_reuse(True)` finds a key that is used again. Run your tests with it.
#
# The JAX documentation has more: [pseudorandom
# numbers](https://docs.jax.dev/en/latest/101/random.html), and
# [`jax.random.fold_in`](https://docs.jax.dev/en/latest/_autosummary/jax.random.fold_in.html).
