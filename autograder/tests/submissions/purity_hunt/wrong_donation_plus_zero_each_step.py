# wrong: adds zero at each step; exercise: purity_hunt_donation; must fail: outputs; says: Copy M once
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        copied = M + 0
        M = relax(copied, target)
    return M
