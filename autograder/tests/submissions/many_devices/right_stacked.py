# right: returns each device's part and sums outside; exercise: many_devices_sum
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=P("sites"),
    check_vma=False,
)
def parts(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return value[None], gradient[None]


@jax.jit
def log_likelihood(B, Y, O, X):
    values, gradients = parts(B, Y, O, X)
    return values.sum(), gradients.sum(axis=0)
