"""Repairs of the drills of the lesson named_tuple_carry."""

# %% starter_tally_up
# starter: as given; exercise: tally_up; must fail: outputs; says: tally_up

# %% right_tally_up
# right: a new tuple, returned whole; exercise: tally_up
class Tally(NamedTuple):
    total: jax.Array
    positive: jax.Array

@jax.jit
def tally_up(x):
    def body(tally, one):
        return Tally(tally.total + one, tally.positive + jnp.maximum(one, 0)), None
    return tuple(jax.lax.scan(body, Tally(jnp.zeros(()), jnp.zeros(())), x)[0])

# %% wrong_tally_up_1
# wrong: one field is forgotten; exercise: tally_up; must fail: outputs; says: tally_up
class Tally(NamedTuple):
    total: jax.Array
    positive: jax.Array

@jax.jit
def tally_up(x):
    def body(tally, one):
        return tally._replace(total=tally.total + one), None
    tally, _ = jax.lax.scan(body, Tally(jnp.zeros(()), jnp.zeros(())), x)
    return tally.total, tally.positive

# %% wrong_tally_up_2
# wrong: exchanged; exercise: tally_up; must fail: outputs; says: tally_up
@jax.jit
def tally_up(x):
    return jnp.maximum(x, 0).sum(), x.sum()

# %% starter_moments
# starter: as given; exercise: moments; must fail: outputs; says: carry

# %% right_moments_1
# right: a plain tuple from the start; exercise: moments
@jax.jit
def moments(x):
    def body(seen, one):
        return (seen[0] + one, seen[1] + one**2), None
    return jax.lax.scan(body, (jnp.zeros(()), jnp.zeros(())), x)[0]

# %% right_moments_2
# right: _replace; exercise: moments
class Moments(NamedTuple):
    total: jax.Array
    squares: jax.Array

@jax.jit
def moments(x):
    def body(seen, one):
        return seen._replace(total=seen.total + one, squares=seen.squares + one * one), None
    seen, _ = jax.lax.scan(body, Moments(jnp.zeros(()), jnp.zeros(())), x)
    return seen.total, seen.squares

# %% wrong_moments_1
# wrong: the square of the sum; exercise: moments; must fail: outputs; says: moments
@jax.jit
def moments(x):
    return x.sum(), x.sum() ** 2

# %% wrong_moments_2
# wrong: a list as carry; exercise: moments; must fail: outputs; says: carry
@jax.jit
def moments(x):
    def body(seen, one):
        return [seen[0] + one, seen[1] + one**2], None
    return jax.lax.scan(body, (jnp.zeros(()), jnp.zeros(())), x)[0]

# %% starter_centre_taxa
# starter: as given; exercise: centre_taxa; must fail: outputs; says: Shapes

# %% right_centre_taxa_1
# right: the field stays, and is no shape; exercise: centre_taxa
class Sites(NamedTuple):
    Y: jax.Array
    n: int

@jax.jit
def centre(sites):
    return sites.Y - sites.Y.sum(axis=0) / sites.n

def centre_taxa(Y):
    return centre(Sites(Y, len(Y)))

# %% right_centre_taxa_2
# right: no tuple; exercise: centre_taxa
centre_taxa = jax.jit(lambda Y: Y - Y.mean(axis=0))

# %% wrong_centre_taxa_1
# wrong: the mean of each site; exercise: centre_taxa; must fail: outputs; says: centre_taxa
centre_taxa = jax.jit(lambda Y: Y - Y.mean(axis=1, keepdims=True))

# %% wrong_centre_taxa_2
# wrong: a number of one table; exercise: centre_taxa; must fail: outputs; says: centre_taxa
@jax.jit
def centre_taxa(Y):
    return Y - Y.sum(axis=0) / 5

# %% starter_settle
# starter: as given; exercise: settle; must fail: memory; says: of scratch memory

# %% right_settle
# right: fori_loop; exercise: settle
@jax.jit
def settle(target, steps):
    return jax.lax.fori_loop(0, steps, lambda i, M: M + 0.1 * (target - M), jnp.zeros_like(target))

# %% wrong_settle_1
# wrong: one step less; exercise: settle; must fail: outputs; says: settle
@jax.jit
def settle(target, steps):
    return jax.lax.fori_loop(1, steps, lambda i, M: M + 0.1 * (target - M), jnp.zeros_like(target))

# %% wrong_settle_2
# wrong: the first step; exercise: settle; must fail: outputs; says: settle
settle = jax.jit(lambda target, steps: 0.1 * target, static_argnums=1)

# %% wrong_tally_up_3
# wrong: the first leaves of the oaks; exercise: tally_up; must fail: outputs; says: tally_up
@jax.jit
def tally_up(x):
    return x[:116].sum(), jnp.maximum(x[:116], 0).sum()
