# %% [markdown]
# # Ten jit puzzles
#
# **Ten functions, and one broken line in each.** `jax.jit` runs your Python once, with *tracers* in
# the place of numbers, records what happens to them, compiles the recording, and runs that from
# then on. Each puzzle trips over one part of that sentence. About 35 minutes.
#
# * A function must do what the sentence above it says, for every input that it names. `x` is a
#   vector of one or more numbers.
# * It stays jitted, and it is **pure**: the result depends on the arguments alone, and nothing else
#   changes.
# * It compiles at most **once** for each length of `x` and each value of a plain Python argument,
#   such as `True`.
# * Repair the line, and run the check below as often as you like. Its card says what failed and
#   where, and has hints.

# %%
import jax
import jax.numpy as jnp
import numpy as np

from autograder import check

# %% [markdown]
# ## Puzzle 1: flip-flop
#
# `flip(x, on)` returns `x` back to front if `on` is `True`, and `x` as it is if it is `False`.


# %% solution="flip"
### BEGIN SOLUTION
@jax.jit(static_argnames="on")
def flip(x, on):
    return x[::-1] if on else x


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def flip(x, on):
#     return x[::-1] if on else x
### END STARTER

# %% check="flip"
check("flip")

# %% [markdown]
# ## Puzzle 2: sunny side up
#
# `sunny(x)` returns `x` if its first entry is positive, and `-x` if not.


# %% solution="sunny"
### BEGIN SOLUTION
@jax.jit
def sunny(x):
    return jnp.where(x[0] > 0, x, -x)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def sunny(x):
#     return x if x[0] > 0 else -x
### END STARTER

# %% check="sunny"
check("sunny")

# %% [markdown]
# ## Puzzle 3: count your blessings
#
# `blessings(x)` adds up the positive entries of `x`: 0 if there are none.


# %% solution="blessings"
### BEGIN SOLUTION
@jax.jit
def blessings(x):
    return jnp.where(x > 0, x, 0).sum()


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def blessings(x):
#     return x[x > 0].sum()
### END STARTER

# %% check="blessings"
check("blessings")

# %% [markdown]
# ## Puzzle 4: bookends
#
# `bookends(x)` returns `x` with its first entry in the last place, too.


# %% solution="bookends"
### BEGIN SOLUTION
@jax.jit
def bookends(x):
    x = x.at[-1].set(x[0])
    return x


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def bookends(x):
#     x[-1] = x[0]
#     return x
### END STARTER

# %% check="bookends"
check("bookends")

# %% [markdown]
# ## Puzzle 5: origami
#
# `origami(x)` folds `x` into a square: 9 entries become 3 rows of 3. The length of `x` is always a
# square number.


# %% solution="origami"
### BEGIN SOLUTION
@jax.jit
def origami(x):
    side = int(np.sqrt(x.size))
    return x.reshape(side, side)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def origami(x):
#     side = jnp.sqrt(x.size).astype(int)
#     return x.reshape(side, side)
### END STARTER

# %% check="origami"
check("origami")

# %% [markdown]
# ## Puzzle 6: a snail's pace
#
# `snail(x, n)` replaces `x` by `x + 1 / x`, `n` times. The entries of `x` are positive. `n` is a
# JAX integer, 0 or more, that comes out of another computation: a new `n` must not compile
# anything.


# %% solution="snail"
### BEGIN SOLUTION
@jax.jit
def snail(x, n):
    return jax.lax.fori_loop(0, n, lambda i, x: x + 1 / x, x)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def snail(x, n):
#     for _ in range(n):
#         x = x + 1 / x
#     return x
### END STARTER

# %% check="snail"
check("snail")

# %% [markdown]
# ## Puzzle 7: the elephant
#
# `elephant(x)` returns the running totals of `x`: its first entry, the sum of the first two, and so
# on. As it stands, it is right at its first call, and it never forgets.


# %% solution="elephant"
### BEGIN SOLUTION
@jax.jit
def elephant(x):
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[1:])


### END SOLUTION
### BEGIN STARTER
# totals = [0.0]
#
#
# @jax.jit
# def elephant(x):
#     for entry in x:
#         totals.append(totals[-1] + entry)
#     return jnp.stack(totals[1:])
### END STARTER

# %% check="elephant"
check("elephant")

# %% [markdown]
# ## Puzzle 8: shaken, not stirred
#
# `shaken(key, x)` adds noise to `x`: what `jax.random.normal` draws with `key`, a number for each
# entry. As it stands, the noise is always the same, whatever the key.


# %% solution="shaken"
### BEGIN SOLUTION
@jax.jit
def shaken(key, x):
    noise = jax.random.normal(key, x.shape)
    return x + noise


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def shaken(key, x):
#     noise = np.random.normal(size=x.shape)
#     return x + noise
### END STARTER

# %% check="shaken"
check("shaken")

# %% [markdown]
# ## Puzzle 9: groundhog day
#
# `groundhog(x)` squashes each entry to between 0 and 1, and its results are right. In the card's
# row of calls, `C` is a call that compiled, `·` one that ran an existing program, and `!` one that
# compiled again, for nothing.


# %% solution="groundhog"
### BEGIN SOLUTION
@jax.jit
def groundhog(x):
    return 1 / (1 + jnp.exp(-x))


### END SOLUTION
### BEGIN STARTER
# def groundhog(x):
#     squash = jax.jit(lambda x: 1 / (1 + jnp.exp(-x)))
#     return squash(x)
### END STARTER

# %% check="groundhog"
check("groundhog")

# %% [markdown]
# ## Puzzle 10: small sips
#
# `sips(x, n)` adds up the first `n` entries of `x`, and is right. `n` is a plain Python integer,
# from 0 to the length of `x`. Here, one program for each length of `x` must serve all `n`.


# %% solution="sips"
### BEGIN SOLUTION
@jax.jit
def sips(x, n):
    return jnp.where(jnp.arange(x.size) < n, x, 0).sum()


### END SOLUTION
### BEGIN STARTER
# @jax.jit(static_argnames="n")
# def sips(x, n):
#     return x[:n].sum()
### END STARTER

# %% check="sips"
check("sips")

# %% [markdown]
# ## Where you meet these again
#
# | puzzle | lesson |
# | --- | --- |
# | flip-flop | [static_branch](lesson:static_branch): settings in an `if` |
# | sunny side up | [traced_branch](lesson:traced_branch): branches on data |
# | count your blessings | [static_reshape](lesson:static_reshape): sizes that depend on data |
# | bookends | [jitted_step](lesson:jitted_step): arrays do not change |
# | origami | [static_reshape](lesson:static_reshape): shapes are plain numbers |
# | a snail's pace | [early_stop](lesson:early_stop), [scan_fit](lesson:scan_fit): loops |
# | the elephant | [tracing](lesson:tracing): what a trace leaves behind |
# | shaken, not stirred | [purity_hunt](lesson:purity_hunt): random keys |
# | groundhog day | [recompile_hunt](lesson:recompile_hunt): new functions |
# | small sips | [recompile_hunt](lesson:recompile_hunt): new shapes, and masks |
#
# The JAX documentation has [the usual errors and their
# causes](https://docs.jax.dev/en/latest/101/errors.html). Next: [tracing](lesson:tracing), which
# shows the recording.
