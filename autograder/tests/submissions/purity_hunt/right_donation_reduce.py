# right: functools.reduce; exercise: purity_hunt_donation
from functools import reduce


@jax.jit(donate_argnums=(0,))
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    return reduce(lambda M, _: relax(M, target), range(steps), M.copy())
