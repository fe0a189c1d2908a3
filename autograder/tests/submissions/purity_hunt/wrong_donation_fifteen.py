# wrong: the fifteen steps of the notebook, and no more; exercise: purity_hunt_donation; must fail: outputs; says: smooth
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()  # a copy of our own, to give away
    for _ in range(min(steps, 15)):
        M = relax(M, target)
    return M
