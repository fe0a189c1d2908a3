# wrong: copies too late; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        new = relax(M, target)
        M = M.copy()
    return M
