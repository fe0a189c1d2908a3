# wrong: each device gets all of X; exercise: many_devices_sum; must fail: outputs; says: in_specs
@jax.jit
@partial(
    jax.shard_map, mesh=mesh, in_specs=(P(), P("sites"), P("sites"), P()), out_specs=(P(), P())
)
def log_likelihood(B, Y, O, X):
    def mine(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(mine)(B)
    return jax.lax.psum(value, "sites"), gradient
