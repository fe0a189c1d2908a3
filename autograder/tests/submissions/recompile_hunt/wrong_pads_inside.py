# wrong: pads inside of the jitted function; exercise: recompile_hunt; must fail: compilations; says: keep shapes fixed
@jax.jit
def abundance_summary(counts):
    padded = jnp.pad(counts, (0, 128 - counts.size))
    present = jnp.arange(128) < counts.size
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)
