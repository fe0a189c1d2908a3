# wrong: drops the donation; exercise: purity_hunt_donation; must fail: outputs; says: relax no longer donates
@jax.jit
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    for _ in range(steps):
        M = relax(M, target)
    return M
