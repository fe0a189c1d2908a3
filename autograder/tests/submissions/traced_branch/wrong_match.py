# wrong: match is a chain of ifs; exercise: traced_branch_switch; must fail: outputs; says: `jnp.where` or `lax.cond`
@jax.jit
def transform(counts, kind):
    match kind:
        case 0:
            return jnp.log1p(counts)
        case 1:
            return jnp.sqrt(counts)
        case _:
            return (counts > 0).astype(counts.dtype)
