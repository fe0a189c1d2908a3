# wrong: the formula that does not count has the weight 0, and 0 * nan is nan; exercise: static_branch; must fail: outputs; says: nan
@jax.jit
def box_cox(counts, power):
    is_zero = jnp.asarray(power == 0, jnp.float32)
    by_power = ((counts + 1) ** power - 1) / power
    return is_zero * jnp.log(counts + 1) + (1 - is_zero) * by_power
