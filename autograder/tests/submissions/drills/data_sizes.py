"""Repairs of the drills of the lesson data_sizes."""

# %% starter_log_total
# starter: as given; exercise: log_total; must fail: outputs; says: oolean

# %% right_log_total_1
# right: the logarithm of 1 is 0; exercise: log_total
@jax.jit
def log_total(y):
    return jnp.log(jnp.where(y > 0, y, 1)).sum()

# %% right_log_total_2
# right: the `where` of the sum; exercise: log_total
@jax.jit
def log_total(y):
    return jnp.sum(jnp.log(y), where=y > 0)

# %% wrong_log_total_1
# wrong: no mask; exercise: log_total; must fail: outputs; says: log_total
@jax.jit
def log_total(y):
    return jnp.log(y).sum()

# %% wrong_log_total_2
# wrong: one added to all; exercise: log_total; must fail: outputs; says: log_total
@jax.jit
def log_total(y):
    return jnp.log(y + 1).sum()

# %% wrong_log_total_3
# wrong: the logarithm of the sum; exercise: log_total; must fail: outputs; says: log_total
@jax.jit
def log_total(y):
    return jnp.log(jnp.maximum(jnp.where(y > 0, y, 0).sum(), 1))

# %% wrong_log_total_4
# wrong: not jitted; exercise: log_total; must fail: compilations; says: jit
def log_total(y):
    return jnp.where(y > 0, jnp.log(y), 0).sum()

# %% starter_list_groups
# starter: as given; exercise: list_groups; must fail: outputs; says: size

# %% right_list_groups
# right: sorted by hand; exercise: list_groups
@partial(jax.jit, static_argnums=1)
def list_groups(group, size):
    ordered = jnp.sort(group)
    new = jnp.concatenate([jnp.array([True]), ordered[1:] != ordered[:-1]])
    place = jnp.where(new, jnp.cumsum(new) - 1, size)
    return jnp.full(size, -1, group.dtype).at[place].set(ordered, mode="drop")

# %% wrong_list_groups_1
# wrong: filled up with the smallest; exercise: list_groups; must fail: outputs; says: list_groups
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    return jnp.unique(group, size=size)

# %% wrong_list_groups_2
# wrong: sorted, each as often as it occurs; exercise: list_groups; must fail: outputs; says: list_groups
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    ordered = jnp.sort(group)[:size]
    return jnp.pad(ordered, (0, size - len(ordered)), constant_values=-1)

# %% starter_depth_of_leaves
# starter: as given; exercise: depth_of_leaves; must fail: outputs; says: length

# %% right_depth_of_leaves
# right: by cumulated numbers; exercise: depth_of_leaves
@partial(jax.jit, static_argnames="total")
def depth_of_leaves(depths, leaves, total):
    return depths[jnp.searchsorted(jnp.cumsum(leaves), jnp.arange(total), side="right")]

# %% wrong_depth_of_leaves_1
# wrong: on the other side; exercise: depth_of_leaves; must fail: outputs; says: depth_of_leaves
@partial(jax.jit, static_argnames="total")
def depth_of_leaves(depths, leaves, total):
    return depths[jnp.searchsorted(jnp.cumsum(leaves), jnp.arange(total))]

# %% wrong_depth_of_leaves_2
# wrong: as many of each; exercise: depth_of_leaves; must fail: outputs; says: depth_of_leaves
@partial(jax.jit, static_argnames="total")
def depth_of_leaves(depths, leaves, total):
    return jnp.resize(depths, total)

# %% wrong_log_total_5
# wrong: the test as a weight, and 0 * inf is nan; exercise: log_total; must fail: outputs; says: nan
@jax.jit
def log_total(y):
    return (jnp.where(y > 0, 1.0, 0.0) * jnp.log(y)).sum()

# %% wrong_list_groups_3
# wrong: room for the leaves of the oaks; exercise: list_groups; must fail: outputs; says: list_groups
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    found = jnp.unique(group, size=116, fill_value=-1)
    return jnp.concatenate([found, jnp.full(size, -1, group.dtype)])[:size]
