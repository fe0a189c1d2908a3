# right: a mesh of its own with another name; exercise: many_devices_sum
own = jax.make_mesh((2, 2), ("host", "device"), (AxisType.Auto, AxisType.Auto))
cut = P(("host", "device"))


@jax.jit
@partial(jax.shard_map, mesh=own, in_specs=(P(), cut, cut, cut), out_specs=P())
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, ("host", "device")), gradient
