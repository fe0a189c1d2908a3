# wrong: donates the other argument; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted
@partial(jax.jit, donate_argnums=1)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()
    for _ in range(steps):
        M = relax(M, target)
    return M
