# wrong: makes no copy for a single step, and gives the caller's array away; exercise: purity_hunt_donation; must fail: purity; says: is deleted
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    if steps > 1:
        M = M.copy()
    for _ in range(steps):
        M = relax(M, target)
    return M
