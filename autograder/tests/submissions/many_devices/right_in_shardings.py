# right: without shard_map, cut by in_shardings; exercise: many_devices_sum
@partial(jax.jit, in_shardings=(whole, rows, rows, rows), out_shardings=whole)
def log_likelihood(B, Y, O, X):
    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)
