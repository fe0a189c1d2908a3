# right: fills with NaN where there is no row, and looks for it outside; exercise: debugging
@jax.jit
def look_up(B, group, O):
    safe = jnp.where(group < 0, B.shape[0], group)
    return O + B.at[safe].get(mode="fill", fill_value=jnp.nan)


def log_means(B, group, O):
    counts = look_up(B, group, O)
    if bool(jnp.isnan(counts).any()):
        raise ValueError(f"a group is not one of 0 to {len(B) - 1}")
    return counts
