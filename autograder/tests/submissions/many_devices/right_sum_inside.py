# right: the gradient of the sum, with the check on; exercise: many_devices_sum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jax.lax.psum(jnp.sum(Y * eta - jnp.exp(eta)), "sites")

    return jax.value_and_grad(of_my_sites)(B)
