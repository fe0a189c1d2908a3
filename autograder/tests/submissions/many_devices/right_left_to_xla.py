# right: without shard_map, cut by a constraint; exercise: many_devices_sum
@jax.jit
def log_likelihood(B, Y, O, X):
    Y, O, X = (jax.lax.with_sharding_constraint(array, rows) for array in (Y, O, X))

    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)
