# wrong: asarray makes no copy; exercise: purity_hunt_donation; must fail: purity; says: donated
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = jnp.asarray(M)
    for _ in range(steps):
        M = relax(M, target)
    return M
