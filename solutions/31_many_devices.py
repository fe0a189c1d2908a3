# %% [markdown]
# # Many devices: where is my array?
#
# **Four devices, and each of them holds a quarter of the sites.**
#
# **You will learn** to split data over several devices, why a training step can compile twice although
# no shape changes, what `shard_map` checks for you, and why you should not switch that check off.
# About 60 minutes.
#
# A large survey does not fit on one GPU. The usual cure is to give each of several GPUs some of the
# sites. You need no GPU to learn this: the CPU can pretend to be four devices. The two
# `jax.config.update` lines below keep JAX on the CPU and set the number of devices, before JAX
# computes anything.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from plnkit import load_oaks

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_num_cpu_devices", 4)
jax.devices()

# %%
mesh = jax.make_mesh((4,), ("sites",), (AxisType.Auto,))
rows = NamedSharding(mesh, P("sites"))
whole = NamedSharding(mesh, P())


def place(Y, O, X):
    return jax.device_put((Y, O, X), rows)


oaks = load_oaks()
Y, O, X = place(oaks.Y, oaks.O, oaks.X)
for part in Y.addressable_shards:
    print(part.device, "has", part.data.shape, "of", Y.shape)

# %% [markdown]
# If the cell with the imports ended with `RuntimeError: jax_num_cpu_devices config should be
# updated before backends are initialized`, JAX had already counted its devices. Restart the kernel,
# and run all cells from the top.
#
# A **mesh** arranges the devices along named axes; this mesh has one axis, `"sites"`. A **sharding**
# says which device holds which part of an array. `P("sites")` splits the first axis of an array over
# the axis `"sites"` of the mesh, and `P()` splits nothing: every device then holds a copy of the whole.
#
# ## See it fail
#
# All parts have the same shape, so the number of sites must be a multiple of four:

# %% tags=["raises-exception"]
jax.device_put(oaks.Y[:115], rows)

# %% [markdown]
# ```
# ... NamedSharding(mesh=Mesh('sites': 4, axis_types=(Auto,)), ... 115 (full shape: (115, 114) ...
# ```
#
# (The words left out here differ between releases of JAX.) In practice, add rows of zeros and a
# mask, as in lesson `recompile_hunt`.
#
# ## Why
#
# A jitted function runs where its arguments are. If they are split over four devices, XLA compiles
# *one* program that all four run, each on its own part. Where the parts depend on each other, it
# adds communication. You see none of that in your code. `Y.sum(axis=0)`, for example, needs all
# sites: each device sums over its own, and then they add up their sums, so that all of them have
# the result.
#
# The program is compiled for this placement. That is why the sharding of every argument is part of
# jit's **key**: the same shapes, placed differently, need another program.
#
# **Predict before you run.** The next cell calls `towards` three times. `M` is on one device at
# first, and then it is what the last call returned. How many of the calls compile?

# %% tags=["demo"]
predict("how many of the three calls compile", ...)


# %% tags=["demo"]
from plnkit.compile_counts import compile_counts


@jax.jit
def towards(M, Y):
    return M + 0.1 * (jnp.log1p(Y) - M)


M, compiling = jnp.zeros(Y.shape), 0
for call in (1, 2, 3):
    before = len(M.sharding.device_set)
    with compile_counts() as counted:
        M = towards(M, Y)
    compiling += counted["compilations"] > 0
    did = "compiled" if counted["compilations"] else "compiled nothing"
    print(f"call {call} {did}: M went in on {before} and came back on {len(M.sharding.device_set)}")
outcome("how many of the three calls compile", compiling)

# %% [markdown]
# The first call got `M` on one device and `Y` on four. The program runs on all four devices, so
# its result is on all four: XLA splits it as `Y` is split. So the second call has another key.
# That costs little here. But a large model may take minutes to compile, and you would wait for it
# twice.
#
# ## Your task: a step that compiles once
#
# `step` improves the parameters of a PLN model without the variances `S`: `M` has a row for each
# site, and `B`, the coefficients, are the same for all sites. The values are right. But the second
# call compiles again. Repair it so that
#
# * only the first call of `step` compiles, and what it compiles is one program;
# * after each step, `M` is split over the four devices as `Y` is, and each device has the whole of `B`;
# * the values stay as they are, and `params` stays a dictionary with `B` and `M`.
#
# `start(Y, X)` and `step(params, Y, O, X)` are called with what `place` returns, for tables whose
# number of sites is a multiple of four.


# %% solution="many_devices"
### BEGIN SOLUTION
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value


### END SOLUTION
### BEGIN STARTER
# def start(Y, X):
#     return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
#
#
# @jax.jit
# def step(params, Y, O, X):
#     B, M = params["B"], params["M"]
#     eta = O + X @ B + M
#     A = jnp.exp(eta)
#     value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
#     M = M + 0.5 * (Y - A - M) / (A + Y + 1)
#     B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
#     return {"B": B, "M": M}, value
### END STARTER

# %% check="many_devices"
check("many_devices")

# %% [markdown]
# ## One device at a time: `shard_map`
#
# With `jit` you write code for the whole array, and XLA splits it. With `jax.shard_map` you write
# what **one device** does with **its part**, and you call for communication yourself. `in_specs`
# says which part of each argument a device gets, and `out_specs` how the results of the devices are
# put together: with `P()`, one of them is taken, because you promise that all devices have the same
# result.


# %% tags=["raises-exception"]
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
def total(Y):
    return Y.sum()


total(Y)

# %% [markdown]
# ```
# ValueError: shard_map applied to the function 'total' was given out_specs which require replication
# which can't be statically inferred given the mesh:
#
# The mesh given has shape (4,) with corresponding axis names ('sites',).
#
# out_specs is P() which implies that the corresponding output value is replicated across mesh axis
# 'sites', but could not infer replication over any axes
#
# Check if these output values are meant to be replicated over those mesh axes. If not, consider
# revising the corresponding out_specs entries. If so, consider disabling the check by passing the
# check_vma=False argument to `jax.shard_map`.
# ```
#
# JAX is right: each device has the total of *its own* sites, and these differ. `jax.lax.psum(value,
# "sites")` adds a value up over the devices of the axis `"sites"`, and all of them get the sum. The
# last sentence of the error is a way out that many people take. **Predict before you run.** Which
# sites are in the total when the check is off: `"all"`, those of `"one device"`, or `"none"`, because
# there is an error?

# %% tags=["demo"]
predict("the sites in the total", ..., among=["all", "one device", "none"])

# %% tags=["demo"]
specs = dict(mesh=mesh, in_specs=P("sites"), out_specs=P())
unchecked = jax.shard_map(lambda Y: Y.sum(), **specs, check_vma=False)
summed = jax.shard_map(lambda Y: jax.lax.psum(Y.sum(), "sites"), **specs)
off = jax.jit(unchecked)(Y)
print("check off:", off, " psum:", jax.jit(summed)(Y), " NumPy:", oaks.Y.sum())
outcome("the sites in the total", "all" if off == oaks.Y.sum() else "one device")

# %% [markdown]
# Without any warning, you get the total of the first device only. It is even faster, because the
# devices do not communicate.
#
# ## Your task: the whole sum
#
# `log_likelihood(B, Y, O, X)` returns the Poisson log-likelihood of the counts (without the part that
# does not depend on `B`) and its gradient with respect to `B`. Somebody has followed the advice of the
# error message. Repair it so that
#
# * the value and the gradient are those of all sites, for any number of sites that is a multiple of
#   four;
# * each of the four devices computes with its own sites only: with 400 sites and 118 taxa it needs
#   at most 0.2 MiB of scratch memory on each device (the lesson's solution needs 0.09);
# * it stays one jitted function, which splits its arguments itself: it is called with arrays that
#   are on one device.
#
# One thing to know when you compare results. With the check on, JAX knows that all devices share `B`,
# and sums the gradient over the devices by itself. With the check off, it does not.


# %% solution="many_devices_sum"
### BEGIN SOLUTION
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "sites"), gradient


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# @partial(
#     jax.shard_map,
#     mesh=mesh,
#     in_specs=(P(), P("sites"), P("sites"), P("sites")),
#     out_specs=(P(), P()),
#     check_vma=False,
# )
# def log_likelihood(B, Y, O, X):
#     def of_my_sites(B):
#         eta = O + X @ B
#         return jnp.sum(Y * eta - jnp.exp(eta))
#
#     return jax.value_and_grad(of_my_sites)(B)
### END STARTER

# %% check="many_devices_sum"
check("many_devices_sum")

# %% [markdown]
# ## Explicit sharding
#
# The mesh above has axes of type `Auto`: XLA decides where results are, and you find out later.
# With axes of type `Explicit`, which `jax.make_mesh` makes by default, the sharding is part of an
# array's **type**. It is known while tracing, and where it is not clear how the result should be
# split, you get an error instead of a guess.

# %% tags=["demo"]
explicit = jax.make_mesh((4,), ("sites",))
Y_typed, X_typed = jax.device_put((oaks.Y, oaks.X), NamedSharding(explicit, P("sites")))
print(jax.typeof(Y_typed))

# %% tags=["raises-exception"]
X_typed.T @ Y_typed

# %% [markdown]
# ```
# ShardingTypeError: Contracting dimensions are sharded and it is ambiguous how the output should be
# sharded. Please specify the output sharding via the `out_sharding` parameter. Got
# lhs_contracting_spec=('sites',) and rhs_contracting_spec=('sites',)
# ```
#
# The sum over sites is a sum over devices. Say where the result should be, and JAX knows which
# communication you want:

# %% tags=["demo"]
product = jnp.matmul(X_typed.T, Y_typed, out_sharding=NamedSharding(explicit, P()))
print(jax.typeof(product))

# %% [markdown]
# ## What did it cost?
#
# Putting the parameters in place costs one copy before the first step and saves a compilation. The
# sum over devices costs communication.
#
# The four devices of this lesson share the cores of one CPU, so nothing gets faster here. What you can
# see is what each of them holds, and how often they communicate: an `all-reduce` in the compiled
# program is a sum over devices.

# %% tags=["demo"]
B = jnp.zeros((X.shape[1], Y.shape[1]), device=whole)
compiled = jax.jit(log_likelihood).lower(B, Y, O, X).compile()
memory = compiled.memory_analysis()
print("bytes of Y, O and X:        ", Y.nbytes + O.nbytes + X.nbytes)
print("arguments on each device:   ", memory.argument_size_in_bytes)
print("sums over devices in a call:", compiled.as_text().count(" all-reduce("))

# %% [markdown]
# Each device holds a quarter of the data, and the devices exchange one small array. That is the
# whole price here: however many sites there are, what is sent stays about as large as `B`. Where
# the devices are GPUs in one machine, such a sum takes some microseconds; over a network, it can be
# what you wait for.
#
# The JAX documentation has more: [shardings and
# meshes](https://docs.jax.dev/en/latest/201/sharding.html), and
# [`shard_map`](https://docs.jax.dev/en/latest/notebooks/shard_map.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. Each
# function must stay jitted. Its argument `Y` is on one device, and has a multiple of four sites and
# a multiple of four taxa.
#
# **1.** `largest_count(Y)` returns the largest of all counts. It fails.


# %% solution="largest_count"
### BEGIN SOLUTION
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
def largest_count(Y):
    return jax.lax.pmax(Y.max(), "sites")


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# @partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
# def largest_count(Y):
#     return Y.max()
### END STARTER

# %% check="largest_count"
check("largest_count")

# %% [markdown]
# **2.** `site_totals(Y)` returns the total of each site. Most of the sites are lost.


# %% solution="site_totals"
### BEGIN SOLUTION
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P("sites"))
def site_totals(Y):
    return Y.sum(axis=1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# @partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P(), check_vma=False)
# def site_totals(Y):
#     return Y.sum(axis=1)
### END STARTER

# %% check="site_totals"
check("site_totals")

# %% [markdown]
# **3.** `taxon_totals(Y)` returns the total of each taxon. The result is four times too long.


# %% solution="taxon_totals"
### BEGIN SOLUTION
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
def taxon_totals(Y):
    return jax.lax.psum(Y.sum(axis=0), "sites")


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# @partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P("sites"))
# def taxon_totals(Y):
#     return Y.sum(axis=0)
### END STARTER

# %% check="taxon_totals"
check("taxon_totals")
