"""Repairs of the lesson vmap, right and wrong, its starters and empty cells."""

# %% right_broadcast
# right: the sums along axis 1, without vmap; exercise: vmap
@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    shares = counts / counts.sum(axis=1, keepdims=True)
    seen = shares > 0
    if order == 1:
        logs = jnp.log(jnp.where(seen, shares, 1))
        return jnp.exp(-jnp.sum(shares * logs, axis=1))
    return jnp.sum(jnp.where(seen, shares**order, 0), axis=1) ** (1 / (1 - order))

# %% right_closure
# right: the order through a lambda; exercise: vmap
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnums=1)
def diversities(counts, order):
    return jax.vmap(lambda y: hill_number(y, order))(counts)

# %% right_inner_jit_stays
# right: the inner function stays jitted; it is traced into the outer program; exercise: vmap
@partial(jax.jit, static_argnames="order")
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames=("order",))
def diversities(counts, order):
    return jax.vmap(partial(hill_number, order=order))(counts)

# %% right_lax_map
# right: one row after another, in a loop of the program's own; exercise: vmap
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@jax.jit(static_argnames="order")
def diversities(counts, order):
    return lax.map(lambda y: hill_number(y, order), counts)

# %% right_plain_wrapper
# right: a plain function that calls one jitted function; exercise: vmap
from jax.scipy.special import xlogy


def hill_number(y, order):
    shares = y / y.sum()
    if order == 1:
        return jnp.exp(-xlogy(shares, shares).sum())
    return jnp.sum(jnp.where(shares > 0, shares**order, 0)) ** (1 / (1 - order))


_diversities = jax.jit(jax.vmap(hill_number, in_axes=(0, None)), static_argnums=1)


def diversities(counts, order):
    return _diversities(counts, order)

# %% right_switch_on_order
# right: the order is data, and lax.cond chooses the formula; exercise: vmap
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0

    def entropy():
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())

    def power():
        order_ = jnp.where(order == 1, 2, order).astype(float)
        powers = jnp.where(seen, jnp.where(seen, shares, 1) ** order_, 0)
        return powers.sum() ** (1 / (1 - order_))

    return lax.cond(order == 1, entropy, power)


@jax.jit
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)

# %% right_vectorize
# right: jnp.vectorize, which is made of vmap; exercise: vmap
@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    @partial(jnp.vectorize, signature="(p)->()")
    def hill_number(y):
        shares = y / y.sum()
        seen = shares > 0
        if order == 1:
            return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
        return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))

    return hill_number(counts)

# %% wrong_axis_1
# wrong: maps over the species; exercise: vmap; must fail: outputs; says: shape
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(1, None))(counts, order)

# %% wrong_loop_inside_jit
# wrong: the loop is jitted, and written out for each row; exercise: vmap; must fail: compilations; says: A Python loop over the data is unrolled
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jnp.stack([hill_number(y, order) for y in counts])

# %% wrong_order_mapped
# wrong: in_axes is left out, and an integer has no axis; exercise: vmap; must fail: outputs; says: vmap
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jax.vmap(hill_number)(counts, order)

# %% wrong_order_traced
# wrong: the order is not static; exercise: vmap; must fail: outputs; says: TracerBoolConversionError
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@jax.jit
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)

# %% wrong_vmap_without_jit
# wrong: vmap alone, so each operation is a program of its own; exercise: vmap; must fail: compilations; says: one jax.jit
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)

# %% wrong_numpy_vectorize
# wrong: NumPy's vectorize on a tracer; exercise: vmap; must fail: outputs; says: Use `jax.numpy`
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return np.vectorize(lambda y: hill_number(y, order), signature="(p)->()")(counts)

# %% wrong_jit_at_each_call
# wrong: a new jitted function at each call; exercise: vmap; must fail: compilations; says: new function object
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


def diversities(counts, order):
    return jax.jit(jax.vmap(lambda y: hill_number(y, order)))(counts)

# %% wrong_jitted_rows_mapped
# wrong: jit of the row inside of vmap, and none around it; exercise: vmap; must fail: compilations; says: jax.jit
@partial(jax.jit, static_argnames="order")
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


def diversities(counts, order):
    return jnp.asarray([hill_number(y, order) for y in counts])

# %% wrong_total_of_all
# wrong: shares of the whole table; exercise: vmap; must fail: outputs; says: values differ
@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    def hill_number(y):
        shares = y / counts.sum()
        seen = shares > 0
        if order == 1:
            return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
        return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))

    return jax.vmap(hill_number)(counts)

# %% wrong_whole_table_as_a_row
# wrong: no map at all: one number for the table; exercise: vmap; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    shares = counts / counts.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))

# %% wrong_formula_of_one
# wrong: the general formula for the order 1, too; exercise: vmap; must fail: outputs; says: ZeroDivisionError
def hill_number(y, order):
    shares = y / y.sum()
    return jnp.where(shares > 0, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)

# %% wrong_unseen_counted
# wrong: with the order 0, species that were not seen count, too; exercise: vmap; must fail: outputs; says: values differ
def hill_number(y, order):
    shares = y / y.sum()
    if order == 1:
        return jnp.exp(-jnp.where(shares > 0, shares * jnp.log(shares), 0).sum())
    return (shares**order).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)

# %% wrong_keeps_the_last
# wrong: keeps the last diversities in a global; exercise: vmap; must fail: purity; says: last
last = None


def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    global last
    last = jax.vmap(hill_number, in_axes=(0, None))(counts, order)
    return last

# %% wrong_prints_rows
# wrong: prints in the function of a row; exercise: vmap; must fail: purity; says: print
def hill_number(y, order):
    print("row", y.shape)
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)

# %% wrong_room_for_the_oaks
# wrong: room for the leaves of the oaks; exercise: vmap; must fail: outputs; says: diversities
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    rows = jnp.arange(116)[: len(counts)]
    return jax.vmap(lambda i: hill_number(counts[i], order))(rows)

# %% right_axes_in_axes
# right: the columns mapped, and the result turned; exercise: vmap_axes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=(1, 1, None, 1))(Y, O, X, B).T

# %% right_axes_broadcast
# right: no vmap: a matrix product; exercise: vmap_axes
@jax.jit
def residuals(Y, O, X, B):
    fitted = jnp.exp(O + X @ B)
    return (Y - fitted) * fitted**-0.5

# %% right_axes_transposed_first
# right: turned beforehand, axis 0 mapped; exercise: vmap_axes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    rows = jax.vmap(taxon_residuals, in_axes=[0, 0, None, 0])(Y.T, O.T, X, B.T)
    return jnp.transpose(rows)

# %% right_axes_closure
# right: the covariates by a closure, axes by their last number; exercise: vmap_axes
@jax.jit
def residuals(Y, O, X, B):
    def one(y, o, b):
        fitted = jnp.exp(o + jnp.dot(X, b))
        return (y - fitted) / jnp.sqrt(fitted)

    return jax.vmap(one, in_axes=-1, out_axes=-1)(Y, O, B)

# %% right_axes_by_leaf
# right: maps over the leaves, all species at a time; exercise: vmap_axes
@jax.jit
def residuals(Y, O, X, B):
    def leaf_residuals(y, o, x):
        fitted = jnp.exp(o + x @ B)
        return (y - fitted) / jnp.sqrt(fitted)

    return jax.vmap(leaf_residuals)(Y, O, X)

# %% right_axes_jit_of_vmap
# right: jit as a function, around vmap; exercise: vmap_axes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


residuals = jax.jit(jax.vmap(taxon_residuals, (1, 1, None, 1), 1))

# %% right_axes_indices
# right: maps over the numbers of the species; exercise: vmap_axes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    taxa = jnp.arange(Y.shape[1])
    return jax.vmap(lambda j: taxon_residuals(Y[:, j], O[:, j], X, B[:, j]), out_axes=1)(taxa)

# %% wrong_axes_not_turned
# wrong: a row for each species; exercise: vmap_axes; must fail: outputs; says: shape
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=(1, 1, None, 1))(Y, O, X, B)

# %% wrong_axes_reshaped
# wrong: reshape in place of a transpose; exercise: vmap_axes; must fail: outputs; says: another order
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    rows = jax.vmap(taxon_residuals, in_axes=(1, 1, None, 1))(Y, O, X, B)
    return rows.reshape(Y.shape)

# %% wrong_axes_all_1
# wrong: axis 1 of every argument, the covariates too; exercise: vmap_axes; must fail: outputs; says: inconsistent sizes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=1, out_axes=1)(Y, O, X, B)

# %% wrong_axes_shared_coefficients
# wrong: the coefficients of all species are given to each; exercise: vmap_axes; must fail: outputs; says: Incompatible shapes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=(1, 1, None, None), out_axes=1)(Y, O, X, B)

# %% wrong_axes_three_entries
# wrong: an entry of in_axes is missing; exercise: vmap_axes; must fail: outputs; says: in_axes
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=(1, 1, 1), out_axes=1)(Y, O, X, B)

# %% wrong_axes_in_axes_of_jit
# wrong: vmap as the outer function, jit inside of it; exercise: vmap_axes; must fail: compilations; says: jax.jit
@jax.jit
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


def residuals(Y, O, X, B):
    return jnp.stack([taxon_residuals(Y[:, j], O[:, j], X, B[:, j]) for j in range(Y.shape[1])], 1)

# %% wrong_axes_no_jit
# wrong: the decorator is gone; exercise: vmap_axes; must fail: compilations; says: jax.jit
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=(1, 1, None, 1), out_axes=1)(Y, O, X, B)

# %% wrong_axes_by_size
# wrong: finds the axis by its size, which is wrong where there are as many leaves as species; exercise: vmap_axes; must fail: outputs; says: residuals
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    axis = Y.shape.index(B.shape[1])
    of_all = jax.vmap(taxon_residuals, in_axes=(axis, axis, None, 1), out_axes=axis)
    return of_all(Y, O, X, B)

# %% wrong_axes_offsets_forgotten
# wrong: no offsets; exercise: vmap_axes; must fail: outputs; says: values differ
@jax.jit
def residuals(Y, O, X, B):
    def one(y, b):
        fitted = jnp.exp(X @ b)
        return (y - fitted) / jnp.sqrt(fitted)

    return jax.vmap(one, in_axes=1, out_axes=1)(Y, B)

# %% wrong_axes_not_divided
# wrong: the difference alone; exercise: vmap_axes; must fail: outputs; says: values differ
@jax.jit
def residuals(Y, O, X, B):
    return Y - jnp.exp(O + X @ B)

# %% wrong_axes_keeps_fitted
# wrong: leaves the fitted means in a list; exercise: vmap_axes; must fail: purity; says: kept
kept = []


def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    kept.append(fitted)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    return jax.vmap(taxon_residuals, in_axes=(1, 1, None, 1), out_axes=1)(Y, O, X, B)

# %% wrong_axes_new_jit
# wrong: jit inside of the function, anew at each call; exercise: vmap_axes; must fail: compilations; says: new function object
def residuals(Y, O, X, B):
    def one(y, o, b):
        fitted = jnp.exp(o + X @ b)
        return (y - fitted) / jnp.sqrt(fitted)

    return jax.jit(jax.vmap(one, in_axes=1, out_axes=1))(Y, O, B)

# %% starter_vmap
# starter: as shipped; exercise: vmap; must fail: compilations; says: A Python loop over the data is unrolled

# %% starter_vmap_axes
# starter: as shipped; exercise: vmap_axes; must fail: outputs; says: inconsistent sizes

# %% empty_vmap
# empty: nothing in the cell; exercise: vmap; must fail: outputs; says: There is no function

# %% empty_vmap_axes
# empty: nothing in the cell; exercise: vmap_axes; must fail: outputs; says: There is no function
