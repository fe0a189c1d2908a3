# wrong: the taxa of the oaks, and no more; exercise: many_devices_sum; must fail: outputs; says: log_likelihood
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
        return jnp.sum((Y * eta - jnp.exp(eta))[:, :114])

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "sites"), gradient
