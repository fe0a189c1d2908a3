# wrong: item() of a tracer; exercise: static_branch; must fail: outputs; says: plain Python number is needed
@jax.jit
def box_cox(counts, power):
    if jnp.asarray(power).item() == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
