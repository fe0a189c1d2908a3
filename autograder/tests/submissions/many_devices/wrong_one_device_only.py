# wrong: gives three devices up; exercise: many_devices_sum; must fail: memory; says: on one device
@jax.jit
def log_likelihood(B, Y, O, X):
    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)
