# wrong: a switch over the powers from -10 to 10, which takes 11 for 10; exercise: static_branch; must fail: outputs; says: values differ
def formula(power):
    if power == 0:
        return jnp.log
    return lambda y: (y**power - 1) / power


branches = [formula(p) for p in range(-10, 11)]


@jax.jit
def box_cox(counts, power):
    return jax.lax.switch(power + 10, branches, counts + 1)
