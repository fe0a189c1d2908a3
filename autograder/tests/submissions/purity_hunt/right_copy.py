# right: a copy by jnp.array; exercise: purity_hunt_donation
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = jnp.array(M, copy=True)
    for _ in range(steps):
        M = relax(M, target)
    return M
