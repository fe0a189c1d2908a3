# wrong: int() of a tracer; exercise: static_branch; must fail: outputs; says: plain Python number is needed
@jax.jit
def box_cox(counts, power):
    power = int(power)
    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power
