# wrong: gives the caller's array away; exercise: purity_hunt_donation; must fail: purity; says: donate only arrays that the function itself made
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        M = relax(M, target)
    return M
