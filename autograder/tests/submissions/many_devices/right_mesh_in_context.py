# right: takes the mesh from the context; exercise: many_devices_sum
jax.set_mesh(mesh)


@jax.jit
@jax.shard_map(in_specs=(P(), P("sites"), P("sites"), P("sites")), out_specs=(P(), P()))
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "sites"), gradient
