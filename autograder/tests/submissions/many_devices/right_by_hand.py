# right: the gradient by hand, summed like the value; exercise: many_devices_sum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    eta = O + X @ B
    A = jnp.exp(eta)
    return jax.lax.psum((jnp.sum(Y * eta - A), X.T @ (Y - A)), "sites")
