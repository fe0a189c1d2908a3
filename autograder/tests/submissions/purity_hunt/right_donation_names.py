# right: donate_argnames, the copy by addition; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnames="M")
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M + 0
    for _ in range(steps):
        M = relax(M, target)
    return M
