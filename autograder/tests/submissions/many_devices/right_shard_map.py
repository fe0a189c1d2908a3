# right: a step in which each device works on its own sites; exercise: many_devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


specs = {"B": P(), "M": P("sites")}


@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(specs, P("sites"), P("sites"), P("sites")),
    out_specs=(specs, P()),
)
def step(params, Y, O, X):
    def add_up(x):
        return jax.lax.psum(x, "sites")

    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = add_up(jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2)
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * add_up(X.T @ (Y - A)) / (add_up((X**2).T @ (A + Y)) + 1)
    return {"B": B, "M": M}, value
