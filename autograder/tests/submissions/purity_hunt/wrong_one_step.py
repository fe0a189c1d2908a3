# wrong: a single step; exercise: purity_hunt_donation; must fail: outputs; says: expected
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    return relax(M.copy(), target)
