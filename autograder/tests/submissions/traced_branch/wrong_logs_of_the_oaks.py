# wrong: tables up to the largest count of the oaks; exercise: traced_branch_switch; must fail: outputs; says: values differ
@jax.jit
def transform(counts, kind):
    known = jnp.arange(2230, dtype=jnp.float32)
    values = jnp.stack([jnp.log1p(known), jnp.sqrt(known), jnp.minimum(known, 1)])
    return values[kind][counts.astype(jnp.int32)]
