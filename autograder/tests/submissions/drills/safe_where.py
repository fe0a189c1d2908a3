"""Repairs of the drills of the lesson safe_where."""

# %% starter_root_or_zero
# starter: as given; exercise: root_or_zero; must fail: outputs; says: gradient

# %% right_root_or_zero
# right: the power of one half; exercise: root_or_zero
@jax.jit
def root_or_zero(z):
    safe = jnp.where(z > 0, z, 2.0)
    return jnp.where(z > 0, safe**0.5, jnp.zeros_like(z))

# %% wrong_root_or_zero_1
# wrong: a small number is added; exercise: root_or_zero; must fail: outputs; says: root_or_zero
@jax.jit
def root_or_zero(z):
    return jnp.where(z > 0, jnp.sqrt(jnp.maximum(z, 0) + 1e-3), 0.0)

# %% wrong_root_or_zero_2
# wrong: maximum is not enough; exercise: root_or_zero; must fail: outputs; says: gradient
@jax.jit
def root_or_zero(z):
    return jnp.sqrt(jnp.maximum(z, 0.0))

# %% wrong_root_or_zero_3
# wrong: no jit; exercise: root_or_zero; must fail: compilations; says: jit
def root_or_zero(z):
    return jnp.where(z > 0, jnp.sqrt(jnp.where(z > 0, z, 1.0)), 0.0)

# %% starter_share_of
# starter: as given; exercise: share_of; must fail: outputs; says: gradient

# %% right_share_of
# right: the inverse; exercise: share_of
@jax.jit
def share_of(counts, totals):
    empty = totals == 0
    inverse = jnp.where(empty, 0.0, 1 / jnp.where(empty, 3.0, totals))
    return counts * inverse

# %% wrong_share_of_1
# wrong: divides by 1; exercise: share_of; must fail: outputs; says: share_of
@jax.jit
def share_of(counts, totals):
    return counts / jnp.where(totals > 0, totals, 1.0)

# %% wrong_share_of_2
# wrong: nan_to_num; exercise: share_of; must fail: outputs; says: gradient
@jax.jit
def share_of(counts, totals):
    return jnp.where(totals > 0, jnp.nan_to_num(counts / totals), 0.0)

# %% starter_row_lengths
# starter: as given; exercise: row_lengths; must fail: outputs; says: gradient

# %% right_row_lengths
# right: the rows are replaced; exercise: row_lengths
@jax.jit
def row_lengths(M):
    empty = ~jnp.any(M != 0, axis=1)
    safe = jnp.where(empty[:, None], 1.0, M)
    return jnp.where(empty, 0.0, jnp.linalg.norm(safe, axis=1))

# %% wrong_row_lengths_1
# wrong: one where; exercise: row_lengths; must fail: outputs; says: gradient
@jax.jit
def row_lengths(M):
    squares = jnp.sum(M**2, axis=1)
    return jnp.where(squares > 0, jnp.sqrt(squares), 0.0)

# %% wrong_row_lengths_2
# wrong: a constant below the root; exercise: row_lengths; must fail: outputs; says: row_lengths
@jax.jit
def row_lengths(M):
    return jnp.sqrt(jnp.sum(M**2, axis=1) + 1e-3)

# %% wrong_root_or_zero_4
# wrong: the test as a weight, and 0 * nan is nan; exercise: root_or_zero; must fail: outputs; says: nan
@jax.jit
def root_or_zero(z):
    return jnp.where(z > 0, 1.0, 0.0) * jnp.sqrt(z)

# %% wrong_share_of_3
# wrong: the test as a weight, and 0 * nan is nan; exercise: share_of; must fail: outputs; says: nan
@jax.jit
def share_of(counts, totals):
    return jnp.where(totals > 0, 1.0, 0.0) * (counts / totals)

# %% wrong_row_lengths_3
# wrong: room for the leaves of the oaks; exercise: row_lengths; must fail: outputs; says: different sizes
@jax.jit
def row_lengths(M):
    squares = jnp.zeros(116).at[: len(M)].set((M**2).sum(axis=1))
    safe = jnp.where(squares > 0, squares, 1)
    return jnp.where(squares > 0, jnp.sqrt(safe), 0)[: len(M)]
