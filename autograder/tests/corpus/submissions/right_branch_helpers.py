# right: jitted helpers inside the jitted function; exercise: static_branch
@jax.jit
def _log(y):
    return jnp.log(y)


@jax.jit(static_argnums=1)
def _power(y, power):
    return (y**power - 1) / power


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    """Box and Cox (1964)."""
    return _log(counts + 1) if power == 0 else _power(counts + 1, power)
