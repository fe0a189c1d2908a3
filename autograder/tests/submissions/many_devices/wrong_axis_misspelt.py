# wrong: sums over an axis that the mesh does not have; exercise: many_devices_sum; must fail: outputs; says: No mesh here has an axis of this name
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
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "site"), gradient
