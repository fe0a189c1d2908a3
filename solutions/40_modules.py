# %% [markdown]
# # Modules and jit: which part is data?
#
# **A module split into data and settings: 20 updates, one compilation in place of 20.**
#
# **You will learn** why `jax.jit` does not accept an object that holds both arrays and settings,
# what `eqx.filter_jit` and `nnx.split` do about that, and how to do the same yourself. About 30
# minutes.
#
# In equinox and in flax nnx a model is a **module**: an object that holds its arrays, its settings
# and perhaps a function, such as an activation. This notebook needs neither library: a cell that
# uses one prints a note if it is not installed.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp

from plnkit.compile_counts import compile_counts


class Decoder:
    """From latent positions to mean counts."""

    def __init__(self, weights, offset, activation, power):
        self.weights, self.offset = weights, offset
        self.activation, self.power = activation, power

    def __call__(self, z):
        return self.activation(z @ self.weights + self.offset) ** self.power


z = jnp.ones((5, 2))

# %% tags=["demo"]
call_whole = jax.jit(lambda model, z: model(z), static_argnums=0)


@partial(jax.jit, static_argnums=0)
def call_split(settings, arrays, z):
    activation, power = settings
    return Decoder(arrays["weights"], arrays["offset"], activation, power)(z)


counts, offset = {}, jnp.zeros(3)
updates = [jnp.full((2, 3), i / 20) for i in range(20)]
with compile_counts() as counts["static module"]:
    for weights in updates:
        call_whole(Decoder(weights, offset, jnp.exp, 1), z)
with compile_counts() as counts["split module"]:
    for weights in updates:
        call_split((jnp.exp, 1), {"weights": weights, "offset": offset}, z)
for name, counted in counts.items():
    print(f"{name}: {counted['compilations']} programs compiled in 20 updates")

# %% [markdown]
# ## See it fail

# %% tags=["raises-exception"]
jax.jit(lambda model, z: model(z))(Decoder(jnp.ones((2, 3)), jnp.zeros(3), jnp.exp, 1), z)

# %% [markdown]
# ```
# TypeError: Error interpreting argument to <function <lambda> at ...> as an abstract array. The
# problematic value is of type <class '__main__.Decoder'> and was passed to the function at path model.
# ```
#
# ## Why
#
# `jit` sorts what it is given into two kinds. **Data**, the arrays, are traced: the program works
# for any values of them. **Settings** are static: they are in jit's key, and a new value is a new
# program. A module holds both, and JAX cannot know which attribute is which.
#
# Making the whole module static (`static_argnums`), as in the first half of the cell above, makes
# its arrays settings, too. The module is compared by identity, so each new one is compiled. Even
# worse: change an array in the old one, and the compiled program does not notice.
#
# **Predict before you run.** In `call_split`, `power` is a setting. It goes from 1 to 5, one call each.
# How many programs are compiled?

# %% tags=["demo"]
predict("programs for five powers", ...)

# %% tags=["demo"]
call_fresh = jax.jit(lambda settings, arrays, z: call_split(settings, arrays, z), static_argnums=0)
arrays = {"weights": updates[0], "offset": offset}
with compile_counts() as counted:
    for power in (1, 2, 3, 4, 5):
        call_fresh((jnp.tanh, power), arrays, z)
outcome("programs for five powers", counted["compilations"])

# %% [markdown]
# This is a frequent cause of "my module compiles at each step": a Python number in the module
# counts something, or is a rate that changes. Make it an array, and it is data.
#
# ### What the libraries do
#
# | | equinox | flax nnx |
# | --- | --- | --- |
# | a module is | a pytree: its fields are leaves, those with `eqx.field(static=True)` are settings | an object that may change itself |
# | jit | `eqx.filter_jit`: leaves that are arrays are data, all others are settings | `nnx.jit`, or `graphdef, state = nnx.split(model)` and `nnx.merge` within `jax.jit` |
# | often reported | `jax.jit` on a module with a function in it; an array in a static field; a number that changes | `jax.jit` on a module: its changes to itself are lost |

# %% tags=["demo"]
try:
    import equinox as eqx
except ModuleNotFoundError:
    print("equinox is not installed here: `pip install equinox`, and run this cell again.")
else:

    class Scaled(eqx.Module):
        weights: jax.Array
        activation: object
        scale: object

        def __call__(self, z):
            return self.scale * self.activation(z @ self.weights)

    traces = []

    @eqx.filter_jit
    def call_module(model, z):
        traces.append(model.scale)
        return model(z)

    for kind in (float, jnp.float32):
        traces.clear()
        for scale in (1, 2, 3, 4):
            call_module(Scaled(jnp.ones((2, 3)), jnp.exp, kind(scale)), z)
        print(f"scale is a {kind.__name__}: traced {len(traces)} times in 4 calls")

# %% tags=["demo"]
try:
    from flax import nnx
except ModuleNotFoundError:
    print("flax is not installed here: `pip install flax`, and run this cell again.")
else:

    class Counting(nnx.Module):
        def __init__(self):
            self.weights = nnx.Param(jnp.ones((2, 3)))
            self.calls = nnx.Variable(jnp.array(0))

        def __call__(self, z):
            self.calls[...] += 1
            return jnp.exp(z @ self.weights[...])

    for jit in (jax.jit, nnx.jit):
        model = Counting()
        jit(lambda model, z: model(z))(model, z)
        print(
            f"after one call in {jit.__module__.split('.')[0]}'s jit, calls is {model.calls[...]}"
        )

    graphdef, state = nnx.split(model)

    @jax.jit
    def call_merged(graphdef, state, z):
        model = nnx.merge(graphdef, state)
        result = model(z)
        return result, nnx.state(model)  # return what has changed, too

    result, state = call_merged(graphdef, state, z)
    nnx.update(model, state)
    print("after another, with split and merge, calls is", model.calls[...])

# %% [markdown]
# `nnx.jit` is convenient: it writes the changes back. At each call it does what the last lines do
# by hand. Within another `jax.jit` it cannot write to a global model: it fails with a
# `TraceContextError`, and leaves that model empty.
#
# ## Your task: split and merge
#
# `decode(model, z)` below calls any model under jit, through `split` and `merge`. It returns the right
# values. But `split` makes the whole model the skeleton, so each model is compiled anew. Repair it so
# that
#
# * `split(model)` returns a pair: `skeleton` and `arrays`, a dictionary of those attributes that are
#   JAX arrays, by name, and nothing else;
# * `skeleton` is hashable. It holds whatever else `merge` needs, and no array. Models of one class
#   whose other attributes are equal have equal skeletons, so `decode` compiles once for them and
#   for each shape;
# * `merge(skeleton, arrays)` returns a new model of the same class, and changes no other model;
# * it works for any class, not only for `Decoder`. Attributes are arrays, numbers, strings or
#   functions, and are all in `vars(model)`.
#
# `decode` stays pure, and all work is in one jitted function. `object.__new__(cls)` makes an object
# without calling `__init__`.


# %% solution="modules"
### BEGIN SOLUTION
def split(model):
    arrays = {name: x for name, x in vars(model).items() if isinstance(x, jax.Array)}
    settings = [(name, x) for name, x in vars(model).items() if name not in arrays]
    return (type(model), tuple(settings)), arrays


def merge(skeleton, arrays):
    cls, settings = skeleton
    model = object.__new__(cls)
    vars(model).update(dict(settings) | arrays)
    return model


@partial(jax.jit, static_argnums=0)
def run(skeleton, arrays, z):
    return merge(skeleton, arrays)(z)


def decode(model, z):
    skeleton, arrays = split(model)
    return run(skeleton, arrays, z)


### END SOLUTION
### BEGIN STARTER
# def split(model):
#     return model, {}
#
#
# def merge(skeleton, arrays):
#     return skeleton
#
#
# @partial(jax.jit, static_argnums=0)
# def run(skeleton, arrays, z):
#     return merge(skeleton, arrays)(z)
#
#
# def decode(model, z):
#     skeleton, arrays = split(model)
#     return run(skeleton, arrays, z)
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="modules"
check("modules")

# %% [markdown]
# Once it passes, differentiate: the arrays are a dictionary, which `jax.grad` accepts, and the
# gradient is a dictionary, too.

# %% tags=["demo"]
model = Decoder(jnp.full((2, 3), 0.1), jnp.zeros(3), jnp.exp, 1)
skeleton, arrays = split(model)
target = jnp.array([1.0, 5.0, 9.0])


@jax.jit
def loss(arrays):
    return jnp.mean((merge(skeleton, arrays)(z) - target) ** 2)


for _ in range(300 if arrays else 0):
    arrays = jax.tree.map(lambda x, g: x - 0.01 * g, arrays, jax.grad(loss)(arrays))
print("mean counts:", merge(skeleton, arrays)(z)[0])

# %% [markdown]
# ## What did it cost?
#
# Splitting a model and passing its arrays is work for Python at each call. The next cell compares
# it with a call of the jitted function alone.

# %% tags=["demo"]
from plnkit.machine import median_seconds

model = Decoder(jnp.ones((2, 3)), jnp.zeros(3), jnp.exp, 1)
skeleton, arrays = split(model)
ways = {
    "split and call": lambda: decode(model, z),
    "call alone": lambda: run(skeleton, arrays, z),
}
for name, way in ways.items():
    print(f"{name:15} {1e6 * median_seconds(way, 200):6.1f} microseconds")

# %% [markdown]
# The more arrays a model has, the more it pays. So put the whole training step into one jitted
# function, or the whole loop: split once, before it.
#
# To take away:
#
# 1. In a module, arrays are data and all else is settings. Changing a setting compiles again.
# 2. A skeleton must be hashable, and hold no array: an array in a static field fails, or compiles anew.
# 3. Changes that a module makes to itself under `jax.jit` are lost, unless they are returned.
#
# The JAX documentation has more: [pytrees](https://docs.jax.dev/en/latest/101/pytrees.html), and [stateful
# computations](https://docs.jax.dev/en/latest/101/state.html).
