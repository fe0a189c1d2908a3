# wrong: gathers all sites on each device; exercise: many_devices_sum; must fail: memory; says: `all_gather`
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    Y, O, X = (jax.lax.all_gather(part, "sites", tiled=True) for part in (Y, O, X))

    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)
