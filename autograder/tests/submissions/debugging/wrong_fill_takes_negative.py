# wrong: fill takes -1 for the last row; exercise: debugging; must fail: outputs; says: group -1
@jax.jit
def look_up(B, group, O):
    return O + B.at[group].get(mode="fill", fill_value=jnp.nan)


def log_means(B, group, O):
    counts = look_up(B, group, O)
    if jnp.isnan(counts).any():
        raise ValueError("a group is out of range")
    return counts
