# right: the mean over devices, times their number, check off; exercise: many_devices_sum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    n = jax.lax.axis_size("sites")
    parts = jax.value_and_grad(of_my_sites)(B)
    return jax.tree.map(lambda part: n * jax.lax.pmean(part, "sites"), parts)
