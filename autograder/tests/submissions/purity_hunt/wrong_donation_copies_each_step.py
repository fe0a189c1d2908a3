# wrong: copies at each step, so nothing is saved; exercise: purity_hunt_donation; must fail: outputs; says: Copy M once
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        M = relax(M.copy(), target)
    return M
