# right: the first step makes the array that the others give away; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


@jax.jit
def first_step(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    if steps == 0:
        return M
    M = first_step(M, target)
    for _ in range(steps - 1):
        M = relax(M, target)
    return M
