# wrong: catches the error instead of mending it; exercise: static_branch; must fail: outputs; says: values differ
@jax.jit
def box_cox(counts, power):
    try:
        if power == 0:
            return jnp.log(counts + 1)
    except jax.errors.TracerBoolConversionError:
        pass
    return ((counts + 1) ** jnp.maximum(power, 1) - 1) / jnp.maximum(power, 1)
