"""Repairs of the drills of the lesson vmap."""

# %% starter_counts_above
# starter: as given; exercise: counts_above; must fail: outputs; says: incompatible shapes

# %% right_counts_above_1
# right: a column of limits; exercise: counts_above
@jax.jit
def counts_above(counts, limits):
    return jnp.sum(counts > limits[:, None], axis=1)

# %% right_counts_above_2
# right: in_axes said; exercise: counts_above
@jax.jit
def counts_above(counts, limits):
    return jax.vmap(lambda y, limit: jnp.count_nonzero(y > limit), in_axes=(0, 0))(counts, limits)

# %% wrong_counts_above_1
# wrong: a limit for each column; exercise: counts_above; must fail: outputs; says: counts_above
@jax.jit
def counts_above(counts, limits):
    return jnp.sum(counts.T > limits, axis=1)

# %% wrong_counts_above_2
# wrong: equal ones count; exercise: counts_above; must fail: outputs; says: counts_above
@jax.jit
def counts_above(counts, limits):
    return jax.vmap(lambda y, limit: (y >= limit).sum())(counts, limits)

# %% starter_all_pairs
# starter: as given; exercise: all_pairs; must fail: outputs; says: shape

# %% right_all_pairs_1
# right: two new axes; exercise: all_pairs
@jax.jit
def all_pairs(counts):
    a, b = counts[:, None], counts[None]
    return jnp.abs(a - b).sum(-1) / (a + b).sum(-1)

# %% right_all_pairs_2
# right: lambdas; exercise: all_pairs
@jax.jit
def all_pairs(counts):
    def dissimilarity(a, b):
        return jnp.abs(a - b).sum() / (a + b).sum()

    return jax.vmap(lambda a: jax.vmap(lambda b: dissimilarity(a, b))(counts))(counts)

# %% wrong_all_pairs_1
# wrong: both maps over the same argument; exercise: all_pairs; must fail: outputs; says: all_pairs
@jax.jit
def all_pairs(counts):
    def dissimilarity(a, b):
        return jnp.abs(a - b).sum() / (a + b).sum()

    return jax.vmap(dissimilarity, in_axes=(0, None))(counts, counts)

# %% wrong_all_pairs_2
# wrong: similarity; exercise: all_pairs; must fail: outputs; says: all_pairs
@jax.jit
def all_pairs(counts):
    a, b = counts[:, None], counts[None]
    return 1 - jnp.abs(a - b).sum(-1) / (a + b).sum(-1)

# %% starter_scale_rows
# starter: as given; exercise: scale_rows; must fail: outputs; says: TracerBoolConversionError

# %% right_scale_rows_1
# right: lax.cond, which becomes a select; exercise: scale_rows
@jax.jit
def scale_rows(x):
    def scale(row):
        return lax.cond(row.max() > 1, lambda: row / row.max(), lambda: row)

    return jax.vmap(scale)(x)

# %% right_scale_rows_2
# right: no vmap; exercise: scale_rows
@jax.jit
def scale_rows(x):
    largest = x.max(axis=1, keepdims=True)
    return jnp.where(largest > 1, x / largest, x)

# %% wrong_scale_rows_1
# wrong: all rows are divided; exercise: scale_rows; must fail: outputs; says: scale_rows
@jax.jit
def scale_rows(x):
    return x / x.max(axis=1, keepdims=True)

# %% wrong_scale_rows_2
# wrong: by the largest entry of all; exercise: scale_rows; must fail: outputs; says: scale_rows
@jax.jit
def scale_rows(x):
    return x / jnp.maximum(x.max(), 1)

# %% wrong_scale_rows_3
# wrong: not jitted; exercise: scale_rows; must fail: compilations; says: jit
def scale_rows(x):
    return jax.vmap(lambda row: row / jnp.maximum(row.max(), 1))(x)
