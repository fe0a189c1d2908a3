"""Repairs of the drills of the lesson static_reshape."""

# %% starter_add_intercept
# starter: as given; exercise: add_intercept; must fail: outputs; says: Shapes must be

# %% right_add_intercept_1
# right: no size at all; exercise: add_intercept
@jax.jit
def add_intercept(X):
    return jnp.concatenate([jnp.ones_like(X[:, :1]), X], axis=1)

# %% right_add_intercept_2
# right: pad; exercise: add_intercept
@jax.jit
def add_intercept(X):
    return jnp.pad(X, ((0, 0), (1, 0)), constant_values=1.0)

# %% wrong_add_intercept_1
# wrong: a number of one table; exercise: add_intercept; must fail: outputs; says: shape
@jax.jit
def add_intercept(X):
    return jnp.hstack([jnp.ones((6, 1)), X])

# %% wrong_add_intercept_2
# wrong: the column behind; exercise: add_intercept; must fail: outputs; says: add_intercept
@jax.jit
def add_intercept(X):
    return jnp.hstack([X, jnp.ones((len(X), 1))])

# %% starter_block_means
# starter: as given; exercise: block_means; must fail: outputs; says: Shapes must be

# %% right_block_means
# right: a decorator, by name; exercise: block_means
from functools import partial

@partial(jax.jit, static_argnames=("width",))
def block_means(x, width):
    return jnp.mean(jnp.reshape(x, (x.size // width, width)), 1)

# %% wrong_block_means_1
# wrong: the width of one call; exercise: block_means; must fail: outputs; says: shape
@jax.jit
def block_means(x, width):
    return x.reshape(-1, 3).mean(axis=1)

# %% wrong_block_means_2
# wrong: the other axis; exercise: block_means; must fail: outputs; says: block_means
from functools import partial

@partial(jax.jit, static_argnames="width")
def block_means(x, width):
    return x.reshape(-1, width).mean(axis=0)

# %% starter_make_grid
# starter: as given; exercise: make_grid; must fail: outputs; says: static

# %% right_make_grid
# right: arange, by name; exercise: make_grid
from functools import partial

@partial(jax.jit, static_argnames="points")
def make_grid(x, points):
    shares = jnp.arange(points) / (points - 1)
    return x.min() + shares * (x.max() - x.min())

# %% wrong_make_grid_1
# wrong: the end is left out; exercise: make_grid; must fail: outputs; says: make_grid
from functools import partial

@partial(jax.jit, static_argnames="points")
def make_grid(x, points):
    return jnp.linspace(x.min(), x.max(), points, endpoint=False)

# %% wrong_make_grid_2
# wrong: not jitted; exercise: make_grid; must fail: compilations; says: jit
def make_grid(x, points):
    return jnp.linspace(x.min(), x.max(), points)

# %% starter_site_variances
# starter: as given; exercise: site_variances; must fail: memory; says: MiB

# %% right_site_variances_1
# right: einsum; exercise: site_variances
@jax.jit
def site_variances(X, Sigma):
    return jnp.einsum("ij,jk,ik->i", X, Sigma, X)

# %% right_site_variances_2
# right: a site at a time; exercise: site_variances
@jax.jit
def site_variances(X, Sigma):
    return jax.vmap(lambda x: x @ Sigma @ x)(X)

# %% wrong_site_variances_1
# wrong: Sigma forgotten; exercise: site_variances; must fail: outputs; says: site_variances
@jax.jit
def site_variances(X, Sigma):
    return jnp.sum(X * X, axis=1)

# %% wrong_site_variances_2
# wrong: all pairs by vmap; exercise: site_variances; must fail: memory; says: MiB
@jax.jit
def site_variances(X, Sigma):
    pairs = jax.vmap(lambda x: jax.vmap(lambda y: x @ Sigma @ y)(X))(X)
    return jnp.diagonal(pairs)

# %% wrong_make_grid_3
# wrong: room for the leaves of the oaks; exercise: make_grid; must fail: outputs; says: make_grid
@jax.jit(static_argnames="points")
def make_grid(x, points):
    steps = jnp.minimum(jnp.arange(points), 115) / (points - 1)
    return x.min() + (x.max() - x.min()) * steps
