"""Repairs of the lesson many_devices, right and wrong, its starters and empty cells."""

# %% right_automatic_gradient
# right: the gradient by JAX, parameters from NumPy; exercise: many_devices
import numpy as np


def start(Y, X):
    B, M = np.zeros((X.shape[1], Y.shape[1]), np.float32), np.zeros(Y.shape, np.float32)
    return dict(B=jax.device_put(B, whole), M=jax.device_put(M, rows))


def objective(params, Y, O, X):
    eta = O + X @ params["B"] + params["M"]
    return jnp.sum(Y * eta - jnp.exp(eta)) - jnp.sum(params["M"] ** 2) / 2


@jax.jit
def step(params, Y, O, X):
    value, up = jax.value_and_grad(objective)(params, Y, O, X)
    A = jnp.exp(O + X @ params["B"] + params["M"])
    M = params["M"] + 0.5 * up["M"] / (A + Y + 1)
    B = params["B"] + 0.5 * up["B"] / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% right_by_hand
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

# %% right_check_off
# right: sums both, with the check off; exercise: many_devices_sum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.lax.psum(jax.value_and_grad(of_my_sites)(B), "sites")

# %% right_constrained
# right: constraints in the step as well; exercise: many_devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    M = jax.lax.with_sharding_constraint(M, rows)
    B = jax.lax.with_sharding_constraint(B, whole)
    return {"B": B, "M": M}, value

# %% right_device_argument
# right: arrays made where they belong; exercise: many_devices
def start(Y, X):
    B = jnp.zeros((X.shape[1], Y.shape[1]), device=whole)
    return {"B": B, "M": jnp.zeros(Y.shape, device=rows)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% right_donated
# right: donates the parameters, and names both axes; exercise: many_devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": NamedSharding(mesh, P("sites", None))})


@partial(jax.jit, donate_argnames="params")
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% right_from_the_data
# right: zeros computed from data that are cut; exercise: many_devices
def start(Y, X):
    M = 0 * Y
    return {"B": X.T @ M, "M": M}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% right_gradient_outside
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

# %% right_in_shardings
# right: without shard_map, cut by in_shardings; exercise: many_devices_sum
@partial(jax.jit, in_shardings=(whole, rows, rows, rows), out_shardings=whole)
def log_likelihood(B, Y, O, X):
    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)

# %% right_jitted_start
# right: a start that is jitted, with out_shardings; exercise: many_devices
@partial(jax.jit, out_shardings={"B": whole, "M": rows})
def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% right_left_to_xla
# right: without shard_map, cut by a constraint; exercise: many_devices_sum
@jax.jit
def log_likelihood(B, Y, O, X):
    Y, O, X = (jax.lax.with_sharding_constraint(array, rows) for array in (Y, O, X))

    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)

# %% right_mean_times_devices
# right: the mean over devices, times their number, check off; exercise: many_devices_sum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    n = jax.lax.axis_size("sites")
    parts = jax.value_and_grad(of_my_sites)(B)
    return jax.tree.map(lambda part: n * jax.lax.pmean(part, "sites"), parts)

# %% right_mesh_in_context
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

# %% right_moved_before_the_step
# right: a step that moves its parameters and calls a jitted one; exercise: many_devices
def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}


@jax.jit
def jitted_step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value


def step(params, Y, O, X):
    return jitted_step(jax.device_put(params, {"B": whole, "M": rows}), Y, O, X)

# %% right_own_mesh
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

# %% right_set_mesh
# right: a mesh for the whole notebook, so that specs are enough; exercise: many_devices
jax.set_mesh(mesh)


def start(Y, X):
    B = jax.device_put(jnp.zeros((X.shape[1], Y.shape[1])), P())
    return {"B": B, "M": jax.device_put(jnp.zeros(Y.shape), P("sites"))}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% right_shard_map
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

# %% right_stacked
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

# %% right_sum_inside
# right: the gradient of the sum, with the check on; exercise: many_devices_sum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jax.lax.psum(jnp.sum(Y * eta - jnp.exp(eta)), "sites")

    return jax.value_and_grad(of_my_sites)(B)

# %% right_zeros_like
# right: zeros where the data are; exercise: many_devices
def start(Y, X):
    B = jax.device_put(jnp.zeros((X.shape[1], Y.shape[1])), NamedSharding(Y.sharding.mesh, P()))
    return {"B": B, "M": jnp.zeros_like(Y)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_all_gather
# wrong: gathers all sites on each device; exercise: many_devices_sum; must fail: memory; says: of scratch memory
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    Y, O, X = (jax.lax.all_gather(part, "sites", tiled=True) for part in (Y, O, X))

    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)

# %% wrong_all_shardings
# wrong: in_shardings and out_shardings, but the start is on one device; exercise: many_devices; must fail: compilations; says: Let `start` put the parameters
def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}


places = {"B": whole, "M": rows}


@partial(jax.jit, in_shardings=(places, rows, rows, rows), out_shardings=(places, whole))
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_all_sites_everywhere
# wrong: each device computes everything; exercise: many_devices_sum; must fail: memory; says: of scratch memory
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=P(),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(of_my_sites)(B)

# %% wrong_axis_misspelt
# wrong: sums over an axis that the mesh does not have; exercise: many_devices_sum; must fail: outputs; says: No mesh here has an axis of this name
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "site"), gradient

# %% wrong_b_first
# wrong: M is improved with the new B; exercise: many_devices; must fail: outputs; says: keep the formula
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    A = jnp.exp(O + X @ B + M)
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    return {"B": B, "M": M}, value

# %% wrong_check_on
# wrong: turns the check on and changes nothing; exercise: many_devices_sum; must fail: outputs; says: psum
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(of_my_sites)(B)

# %% wrong_columns
# wrong: M is cut by taxa; exercise: many_devices; must fail: outputs; says: must be a multiple of the number of devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": NamedSharding(mesh, P(None, "sites"))})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_committed_to_one
# wrong: the parameters are bound to one device; exercise: many_devices; must fail: outputs; says: incompatible devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, jax.devices()[0])


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_constraints_only
# wrong: constraints in the step only; exercise: many_devices; must fail: compilations; says: Let `start` put the parameters
def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    B = jax.lax.with_sharding_constraint(B, whole)
    M = jax.lax.with_sharding_constraint(M, rows)
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_copies_after_each_step
# wrong: M is copied to all devices after each step; exercise: many_devices; must fail: outputs; says: `M` of shape (8, 3) is whole on each of 4 devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, whole)


@partial(jax.jit, out_shardings=whole)
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_copies_of_m
# wrong: every device gets all of M; exercise: many_devices; must fail: compilations; says: `M` went into call 1 whole on each of 4 devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, whole)


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_gradient_only
# wrong: sums the gradient only; exercise: many_devices_sum; must fail: outputs; says: [0]
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return value, jax.lax.psum(gradient, "sites")

# %% wrong_jit_in_the_step
# wrong: a new function is jitted at each step; exercise: many_devices; must fail: compilations; says: jitted once
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


def step(params, Y, O, X):
    @jax.jit
    def improve(params):
        B, M = params["B"], params["M"]
        eta = O + X @ B + M
        A = jnp.exp(eta)
        value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
        M = M + 0.5 * (Y - A - M) / (A + Y + 1)
        B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
        return {"B": B, "M": M}, value

    return improve(params)

# %% wrong_mean
# wrong: the mean over the devices; exercise: many_devices_sum; must fail: outputs; says: values differ
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.lax.pmean(jax.value_and_grad(of_my_sites)(B), "sites")

# %% wrong_no_jit
# wrong: jit is gone; exercise: many_devices; must fail: compilations; says: put `jax.jit` around the whole step
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_no_value
# wrong: the value is gone; exercise: many_devices; must fail: outputs; says: should return a pair
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}

# %% wrong_not_jitted
# wrong: jit is gone; exercise: many_devices_sum; must fail: compilations; says: jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "sites"), gradient

# %% wrong_numpy
# wrong: fetches the parameters after each step; exercise: many_devices; must fail: outputs; says: on no device
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def jitted_step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value


def step(params, Y, O, X):
    params, value = jitted_step(params, Y, O, X)
    return jax.device_get(params), value

# %% wrong_one_device
# wrong: gives three devices up; exercise: many_devices; must fail: outputs; says: `M` of shape (8, 3) is on one device
def place(Y, O, X):
    return jax.device_put((Y, O, X), jax.devices()[0])


def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_one_device_only
# wrong: gives three devices up; exercise: many_devices_sum; must fail: memory; says: of scratch memory
@jax.jit
def log_likelihood(B, Y, O, X):
    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)

# %% wrong_only_m
# wrong: B stays on one device; exercise: many_devices; must fail: compilations; says: `B` went into call 1 on one device
def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros_like(Y)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_out_shardings_only
# wrong: says where results go, not where the start is; exercise: many_devices; must fail: compilations; says: Let `start` put the parameters
def start(Y, X):
    return {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}


@partial(jax.jit, out_shardings=({"B": whole, "M": rows}, whole))
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_put_inside
# wrong: `device_put` inside jit, which cuts nothing; exercise: many_devices_sum; must fail: memory; says: of scratch memory
@jax.jit
def log_likelihood(B, Y, O, X):
    Y, O, X = jax.device_put((Y, O, X), rows)

    def total(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.value_and_grad(total)(B)

# %% wrong_room_for_the_oaks
# wrong: room for the taxa of the oaks; exercise: many_devices; must fail: outputs; says: different sizes
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], 114))[:, : Y.shape[1]], "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_stacked
# wrong: one value for each device; exercise: many_devices_sum; must fail: outputs; says: shape
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P("sites"), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return value[None], gradient

# %% wrong_start
# wrong: begins elsewhere; exercise: many_devices; must fail: outputs; says: begin with zeros
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.log1p(Y)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_start_tuple
# wrong: the parameters are a tuple; exercise: many_devices; must fail: outputs; says: no dictionary
def start(Y, X):
    return jax.device_put(jnp.zeros((X.shape[1], Y.shape[1])), whole), jax.device_put(
        jnp.zeros(Y.shape), rows
    )


@jax.jit
def step(params, Y, O, X):
    B, M = params
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return (B, M), value

# %% wrong_sum_inside_unchecked
# wrong: the gradient of the sum, with the check off; exercise: many_devices_sum; must fail: outputs; says: [1]
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jax.lax.psum(jnp.sum(Y * eta - jnp.exp(eta)), "sites")

    return jax.value_and_grad(of_my_sites)(B)

# %% wrong_sum_taxa_of_the_oaks
# wrong: the taxa of the oaks, and no more; exercise: many_devices_sum; must fail: outputs; says: log_likelihood
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum((Y * eta - jnp.exp(eta))[:, :114])

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "sites"), gradient

# %% wrong_summed_twice
# wrong: sums a gradient that JAX has summed; exercise: many_devices_sum; must fail: outputs; says: [1]
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    return jax.lax.psum(jax.value_and_grad(of_my_sites)(B), "sites")

# %% wrong_three_programs
# wrong: a step of three programs, one after the other; exercise: many_devices; must fail: compilations; says: The first step compiled
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def objective(B, M, Y, O, X):
    eta = O + X @ B + M
    return jnp.sum(Y * eta - jnp.exp(eta)) - jnp.sum(M**2) / 2


@jax.jit
def improve_M(B, M, Y, O, X):
    A = jnp.exp(O + X @ B + M)
    return M + 0.5 * (Y - A - M) / (A + Y + 1)


@jax.jit
def improve_B(B, M, Y, O, X):
    A = jnp.exp(O + X @ B + M)
    return B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)


def step(params, Y, O, X):
    given = params["B"], params["M"], Y, O, X
    return {"B": improve_B(*given), "M": improve_M(*given)}, objective(*given)

# %% wrong_times_four
# wrong: four times the first device's part; exercise: many_devices_sum; must fail: outputs; says: values differ
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return 4 * value, 4 * gradient

# %% wrong_two_jitted_functions
# wrong: the step is two jitted functions; exercise: many_devices; must fail: compilations; says: compiled 2 programs
def start(Y, X):
    return {
        "B": jnp.zeros((X.shape[1], Y.shape[1]), device=whole),
        "M": jnp.zeros(Y.shape, device=rows),
    }


@jax.jit
def new_M(params, Y, O, X):
    B, M = params["B"], params["M"]
    A = jnp.exp(O + X @ B + M)
    return M + 0.5 * (Y - A - M) / (A + Y + 1)


@jax.jit
def new_B(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    return B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1), value


def step(params, Y, O, X):
    B, value = new_B(params, Y, O, X)
    return {"B": B, "M": new_M(params, Y, O, X)}, value

# %% wrong_value_only
# wrong: sums the value, with the check off; exercise: many_devices_sum; must fail: outputs; says: [1]
@jax.jit
@partial(
    jax.shard_map,
    mesh=mesh,
    in_specs=(P(), P("sites"), P("sites"), P("sites")),
    out_specs=(P(), P()),
    check_vma=False,
)
def log_likelihood(B, Y, O, X):
    def of_my_sites(B):
        eta = O + X @ B
        return jnp.sum(Y * eta - jnp.exp(eta))

    value, gradient = jax.value_and_grad(of_my_sites)(B)
    return jax.lax.psum(value, "sites"), gradient

# %% wrong_weak_type
# wrong: the start has a dtype that no step returns; exercise: many_devices; must fail: compilations; says: dtypes
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape, jnp.bfloat16)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value

# %% wrong_x_whole
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

# %% starter
# starter: as shipped; exercise: many_devices; must fail: compilations; says: `B` went into call 1 on one device

# %% starter_many_devices_sum
# starter: as shipped; exercise: many_devices_sum; must fail: outputs; says: values differ

# %% empty
# empty: nothing; exercise: many_devices; must fail: outputs; says: no function `step`

# %% empty_many_devices_sum
# empty: nothing; exercise: many_devices_sum; must fail: outputs; says: no function `log_likelihood`
