# wrong: a second jit without donation around relax's body; exercise: purity_hunt_donation; must fail: outputs; says: relax no longer donates
def relax(M, target):
    return M + 0.5 * (target - M)


step = jax.jit(relax)


def smooth(M, target, steps):
    for _ in range(steps):
        M = step(M, target)
    return M
