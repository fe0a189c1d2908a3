# right: the loop inside of jit; XLA reuses memory there; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


@jax.jit
def smooth(M, target, steps):
    return lax.fori_loop(0, steps, lambda _, M: relax(M, target), M)
