"""Repairs of the drills of the lesson purity_hunt."""

# %% starter_mean_path
# starter: as given; exercise: mean_path; must fail: outputs; says: mean_path

# %% right_mean_path_1
# right: a scan; exercise: mean_path
@jax.jit
def mean_path(x):
    def body(x, _):
        x = 0.5 * (x + x.mean())
        return x, x.max()
    return jax.lax.scan(body, x, length=3)

# %% right_mean_path_2
# right: an array that is written to; exercise: mean_path
@jax.jit
def mean_path(x):
    values = jnp.zeros(3)
    for i in range(3):
        x = (x + x.mean()) / 2
        values = values.at[i].set(jnp.max(x))
    return x, values

# %% wrong_mean_path_1
# wrong: returns the list outside, too; exercise: mean_path; must fail: purity; says: largest
largest = []

@jax.jit
def mean_path(x):
    mine = []
    for _ in range(3):
        x = (x + x.mean()) / 2
        largest.append(x.max())
        mine.append(x.max())
    return x, jnp.array(mine)

# %% wrong_mean_path_2
# wrong: before each step; exercise: mean_path; must fail: outputs; says: mean_path
@jax.jit
def mean_path(x):
    values = []
    for _ in range(3):
        values.append(x.max())
        x = (x + x.mean()) / 2
    return x, jnp.array(values)

# %% starter_shrink_once_more
# starter: as given; exercise: shrink_once_more; must fail: purity; says: counted

# %% right_shrink_once_more
# right: by another name; exercise: shrink_once_more
@jax.jit
def shrink_once_more(x, calls):
    more = calls + jnp.ones_like(calls)
    return 0.5 * x, more

# %% wrong_shrink_once_more_1
# wrong: a list in place of the global variable; exercise: shrink_once_more; must fail: purity; says: counted
counted = [0]

@jax.jit
def shrink_once_more(x, calls):
    counted[0] += 1
    return x / 2, calls + 1

# %% wrong_shrink_once_more_2
# wrong: not counted; exercise: shrink_once_more; must fail: outputs; says: shrink_once_more
@jax.jit
def shrink_once_more(x, calls):
    return x / 2, calls

# %% starter_mean_and_warning
# starter: as given; exercise: mean_and_warning; must fail: purity; says: print

# %% right_mean_and_warning
# right: any; exercise: mean_and_warning
@jax.jit
def mean_and_warning(x):
    return jnp.mean(x), jnp.any(x > 100)

# %% wrong_mean_and_warning_1
# wrong: prints in another function; exercise: mean_and_warning; must fail: purity; says: print
def warn(is_large):
    print("larger than 100:", is_large)

@jax.jit
def mean_and_warning(x):
    is_large = x.max() > 100
    warn(is_large)
    return x.mean(), is_large

# %% wrong_mean_and_warning_2
# wrong: all; exercise: mean_and_warning; must fail: outputs; says: mean_and_warning
@jax.jit
def mean_and_warning(x):
    return x.mean(), jnp.all(x > 1)

# %% wrong_mean_and_warning_3
# wrong: 100 is larger than 100 here; exercise: mean_and_warning; must fail: outputs; says: mean_and_warning
@jax.jit
def mean_and_warning(x):
    return x.mean(), (x >= 100).any()
