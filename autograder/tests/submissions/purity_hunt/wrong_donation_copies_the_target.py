# wrong: donates the target too, and copies it at each step; exercise: purity_hunt_donation; must fail: outputs; says: a new array at each step
@partial(jax.jit, donate_argnums=(0, 1))
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()
    for _ in range(steps):
        M = relax(M, target.copy())
    return M
