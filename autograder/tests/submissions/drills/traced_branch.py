"""Repairs of the drills of the lesson traced_branch."""

# %% starter_scale_down
# starter: as given; exercise: scale_down; must fail: outputs; says: TracerBoolConversionError

# %% right_scale_down_1
# right: cond; exercise: scale_down
@jax.jit
def scale_down(x):
    largest = jnp.max(x)
    return lax.cond(largest > 1, lambda: x / largest, lambda: x)

# %% right_scale_down_2
# right: where; exercise: scale_down
@jax.jit
def scale_down(x):
    return jnp.where(x.max() > 1, x / x.max(), x)

# %% wrong_scale_down_1
# wrong: entries larger than 1 only; exercise: scale_down; must fail: outputs; says: scale_down
@jax.jit
def scale_down(x):
    return jnp.where(x > 1, x / x.max(), x)

# %% wrong_scale_down_2
# wrong: always; exercise: scale_down; must fail: outputs; says: scale_down
@jax.jit
def scale_down(x):
    return x / x.max()

# %% wrong_scale_down_3
# wrong: no jit; exercise: scale_down; must fail: outputs; says: TracerBoolConversionError
def scale_down(x):
    return x / x.max() if x.max() > 1 else x

# %% starter_clip_latent
# starter: as given; exercise: clip_latent; must fail: outputs; says: array

# %% right_clip_latent_1
# right: clip; exercise: clip_latent
clip_latent = jax.jit(lambda z: jnp.clip(z, -1, 1))

# %% right_clip_latent_2
# right: select; exercise: clip_latent
@jax.jit
def clip_latent(z):
    return jnp.select([z > 1, z < -1], [jnp.ones_like(z), -jnp.ones_like(z)], z)

# %% wrong_clip_latent_1
# wrong: any entry decides for all; exercise: clip_latent; must fail: outputs; says: clip_latent
@jax.jit
def clip_latent(z):
    return jnp.where(jnp.any(z > 1), 1.0, jnp.where(jnp.any(z < -1), -1.0, z))

# %% wrong_clip_latent_2
# wrong: one side only; exercise: clip_latent; must fail: outputs; says: clip_latent
@jax.jit
def clip_latent(z):
    return jnp.where(z > 1, 1.0, z)

# %% starter_evenness
# starter: as given; exercise: evenness; must fail: outputs; says: cond

# %% right_evenness_1
# right: two where's; exercise: evenness
@jax.jit
def evenness(site):
    empty = site.sum() == 0
    return jnp.where(empty, 0.0, site.min() / jnp.where(empty, 1.0, site.max()))

# %% right_evenness_2
# right: zeros of the same type; exercise: evenness
@jax.jit
def evenness(site):
    def share(site):
        return site.min() / site.max()
    return lax.cond(site.sum() > 0, share, lambda site: jnp.zeros((), site.dtype), site)

# %% wrong_evenness_1
# wrong: of the species that are there; exercise: evenness; must fail: outputs; says: expected 0
@jax.jit
def evenness(site):
    smallest = jnp.min(site, where=site > 0, initial=jnp.inf)
    return jnp.where(site.sum() > 0, smallest / site.max(), 0.0)

# %% wrong_evenness_2
# wrong: the branches exchanged; exercise: evenness; must fail: outputs; says: evenness
@jax.jit
def evenness(site):
    return lax.cond(site.sum() > 0, lambda: 0.0, lambda: site.min() / site.max())

# %% wrong_evenness_3
# wrong: integers in both; exercise: evenness; must fail: outputs; says: evenness
@jax.jit
def evenness(site):
    return lax.cond(site.sum() > 0, lambda: (site.min() / site.max()).astype(int), lambda: 0)

# %% wrong_clip_latent_3
# wrong: the tests as weights, and 0 * inf is nan; exercise: clip_latent; must fail: outputs; says: nan
@jax.jit
def clip_latent(z):
    weight = jnp.where(jnp.abs(z) <= 1, 1.0, 0.0)
    return weight * z + (1 - weight) * jnp.sign(z)

# %% wrong_evenness_4
# wrong: room for the taxa of the oaks; exercise: evenness; must fail: outputs; says: different sizes
@jax.jit
def evenness(site):
    smallest = jnp.full(114, jnp.inf).at[: site.size].set(site).min()
    return jnp.where(site.sum() > 0, smallest / jnp.where(site.sum() > 0, site.max(), 1), 0)
# %% wrong_scale_down_size
# wrong: the largest size, not the largest value; exercise: scale_down; must fail: outputs; says: expected
@jax.jit
def scale_down(x):
    return x / jnp.maximum(jnp.abs(x).max(), 1)
