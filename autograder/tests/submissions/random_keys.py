"""Repairs of the lesson random_keys, right and wrong, its starters and empty cells."""

# %% right_carry
# right: the key is in the carry, split for all sites; exercise: random_keys
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(carry, _):
        key, z = carry
        key, now = jax.random.split(key)
        keys = jax.random.split(now, z.shape[0])
        z = jax.vmap(one_site, in_axes=(0, 0, None))(keys, z, scale)
        return (key, z), z

    return lax.scan(year, (key, z), length=years)[1]


def one_site(key, z, scale):
    return 0.9 * z + scale * jax.random.normal(key, z.shape)

# %% right_fold_in_twice
# right: the year is folded in, and then the site; exercise: random_keys
@partial(jax.jit, static_argnums=3)
def simulate(key, z, scale, years):
    def year(z, i):
        now = jax.random.fold_in(key, i)

        def one_site(site, row):
            own = jax.random.fold_in(now, site)
            return 0.9 * row + scale * jax.random.normal(own, row.shape)

        z = jax.vmap(one_site)(jnp.arange(len(z)), z)
        return z, z

    return lax.scan(year, z, jnp.arange(years))[1]

# %% right_no_vmap
# right: one draw for the whole table of a year; exercise: random_keys
@partial(jax.jit, static_argnames=("years",))
def simulate(key, z, scale, years):
    def year(z, now):
        z = 0.9 * z + scale * jax.random.normal(now, z.shape)
        return z, z

    _, tables = lax.scan(year, z, jax.random.split(key, years))
    return tables

# %% right_all_beforehand
# right: all noise is drawn before the scan; exercise: random_keys
@jax.jit(static_argnames="years")
def simulate(key, z, scale, years):
    noise = jax.random.normal(key, (years, *z.shape))

    def year(z, e):
        z = 0.9 * z + scale * e
        return z, z

    return lax.scan(year, z, noise)[1]

# %% right_keys_of_all
# right: a key for each year and site, split at once; exercise: random_keys
def one_site(key, z, scale):
    return 0.9 * z + scale * jax.random.normal(key, z.shape)


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    keys = jax.random.split(key, (years, z.shape[0]))
    sites = jax.vmap(one_site, in_axes=(0, 0, None))

    def year(z, now):
        z = sites(now, z, scale)
        return z, z

    return lax.scan(year, z, keys)[1]

# %% right_sites_outside
# right: vmap over sites, each with a scan of its own; exercise: random_keys
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def path(key, row):
        def year(row, now):
            row = 0.9 * row + scale * jax.random.normal(now, row.shape)
            return row, row

        return lax.scan(year, row, jax.random.split(key, years))[1]

    keys = jax.random.split(key, len(z))
    return jax.vmap(path, out_axes=1)(keys, z)

# %% right_fori_loop
# right: a fori_loop that writes into an array; exercise: random_keys
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(i, state):
        z, tables = state
        z = 0.9 * z + scale * jax.random.normal(jax.random.fold_in(key, i), z.shape)
        return z, tables.at[i].set(z)

    return lax.fori_loop(0, years, year, (z, jnp.zeros((years, *z.shape))))[1]

# %% right_multivariate
# right: an inner jitted year; exercise: random_keys
@jax.jit
def next_year(z, now, scale):
    kicks = scale[None, :] * jax.random.normal(now, shape=z.shape, dtype=z.dtype)
    return jnp.add(0.9 * z, kicks)


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(carry, i):
        z, key = carry
        key, sub = jax.random.split(key, 2)
        new = next_year(z, sub, scale)
        return (new, key), new

    (_, _), out = lax.scan(year, (z, key), None, length=years)
    return out

# %% wrong_only_sites
# wrong: only the sites have their own keys; exercise: random_keys; must fail: outputs; says: years 0 and 1 have the same noise
def one_site(key, z, scale):
    return 0.9 * z + scale * jax.random.normal(key, z.shape)


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    keys = jax.random.split(key, len(z))

    def year(z, _):
        z = jax.vmap(one_site, in_axes=(0, 0, None))(keys, z, scale)
        return z, z

    return lax.scan(year, z, length=years)[1]

# %% wrong_only_years
# wrong: only the years have their own keys; exercise: random_keys; must fail: outputs; says: sites 0 and 1 have the same noise
def one_site(key, z, scale):
    return 0.9 * z + scale * jax.random.normal(key, z.shape)


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, key):
        z = jax.vmap(one_site, in_axes=(None, 0, None))(key, z, scale)
        return z, z

    return lax.scan(year, z, jax.random.split(key, years))[1]

# %% wrong_sum_of_numbers
# wrong: the numbers of year and site are added up; exercise: random_keys; must fail: outputs; says: Two numbers must not be added up
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, i):
        def one_site(site, row):
            own = jax.random.fold_in(key, i + site)
            return 0.9 * row + scale * jax.random.normal(own, row.shape)

        z = jax.vmap(one_site)(jnp.arange(len(z)), z)
        return z, z

    return lax.scan(year, z, jnp.arange(years))[1]

# %% wrong_key_of_the_year
# wrong: keys are made of the number of the year alone; exercise: random_keys; must fail: outputs; says: another key gives the same noise
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, i):
        z = 0.9 * z + scale * jax.random.normal(jax.random.key(i), z.shape)
        return z, z

    return lax.scan(year, z, jnp.arange(years))[1]

# %% wrong_carry_not_replaced
# wrong: splits in the body, and carries the old key on; exercise: random_keys; must fail: outputs; says: years 0 and 1 have the same noise
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(carry, _):
        key, z = carry
        _, now = jax.random.split(key)
        z = 0.9 * z + scale * jax.random.normal(now, z.shape)
        return (key, z), z

    return lax.scan(year, (key, z), length=years)[1]

# %% wrong_drawn_and_split
# wrong: draws with the key, and splits it afterwards; exercise: random_keys; must fail: outputs; says: drawn with `key` itself
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(carry, _):
        key, z = carry
        z = 0.9 * z + scale * jax.random.normal(key, z.shape)
        key, _ = jax.random.split(key)
        return (key, z), z

    return lax.scan(year, (key, z), length=years)[1]

# %% wrong_one_number_a_site
# wrong: one number for all taxa of a site; exercise: random_keys; must fail: outputs; says: taxa 
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, now):
        z = 0.9 * z + scale * jax.random.normal(now, (z.shape[0], 1))
        return z, z

    return lax.scan(year, z, jax.random.split(key, years))[1]

# %% wrong_numpy
# wrong: NumPy draws the noise, while tracing; exercise: random_keys; must fail: outputs, purity; says: another key gives the same noise
import numpy as np


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    noise = np.random.default_rng().normal(size=(years, *z.shape)).astype("float32")

    def year(z, e):
        z = 0.9 * z + scale * e
        return z, z

    return lax.scan(year, z, jnp.asarray(noise))[1]

# %% wrong_python_loop
# wrong: a loop in Python over the years; exercise: random_keys; must fail: compilations; says: grow
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    tables = []
    for now in jax.random.split(key, years):
        z = 0.9 * z + scale * jax.random.normal(now, z.shape)
        tables.append(z)
    return jnp.stack(tables)

# %% wrong_no_jit
# wrong: not jitted; exercise: random_keys; must fail: compilations; says: jit
def simulate(key, z, scale, years):
    def year(z, now):
        z = 0.9 * z + scale * jax.random.normal(now, z.shape)
        return z, z

    return lax.scan(year, z, jax.random.split(key, years))[1]

# %% wrong_uniform
# wrong: uniform noise; exercise: random_keys; must fail: outputs; says: should have mean 0
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, now):
        z = 0.9 * z + scale * jax.random.uniform(now, z.shape)
        return z, z

    return lax.scan(year, z, jax.random.split(key, years))[1]

# %% wrong_moves_the_old_noise
# wrong: keeps the noise of the first year, moved by a site each year; exercise: random_keys; must fail: outputs; says: has the same noise as
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    noise = jax.random.normal(key, z.shape)

    def year(carry, _):
        z, noise = carry
        z = 0.9 * z + scale * noise
        return (z, jnp.roll(noise, 1, axis=0)), z

    return lax.scan(year, (z, noise), length=years)[1]

# %% wrong_first_table
# wrong: returns the tables before each year; exercise: random_keys; must fail: outputs; says: `z` itself is not part of it
@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, now):
        return 0.9 * z + scale * jax.random.normal(now, z.shape), z

    return lax.scan(year, z, jax.random.split(key, years))[1]

# %% wrong_static_key
# wrong: the key is global, and the argument is not used; exercise: random_keys; must fail: outputs; says: another key gives the same noise
the_key = jax.random.key(8)


@partial(jax.jit, static_argnames="years")
def simulate(key, z, scale, years):
    def year(z, now):
        z = 0.9 * z + scale * jax.random.normal(now, z.shape)
        return z, z

    return lax.scan(year, z, jax.random.split(the_key, years))[1]

# %% starter
# starter: as shipped; exercise: random_keys; must fail: outputs; says: have the same noise

# %% empty
# empty: nothing in the cell; exercise: random_keys; must fail: outputs; says: There is no function
