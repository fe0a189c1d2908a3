# right: the gradient of the whole shard_map; exercise: many_devices_sum
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=P(),
)
def total(B, Y, O, X):
    eta = O + X @ B
    return jax.lax.psum(jnp.sum(Y * eta - jnp.exp(eta)), "sites")


log_likelihood = jax.jit(jax.value_and_grad(total))
