# right: a jitted step in a dictionary carry, a plain function around; exercise: scan_fit
@jax.jit
def step(carry, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(carry["params"], carry["Omega"], Y, O, X)
    updates, state = optimizer.update(gradient, carry["state"])
    params = optax.apply_updates(carry["params"], updates)
    moved = largest(updates)
    return {"params": params, "Omega": best_Omega(params), "state": state, "moved": moved}, -value


@jax.jit(static_argnums=3)
def run(Y, O, X, length):
    params = zeros(Y, X)
    state = optimizer.init(params)
    carry = {"params": params, "Omega": jnp.eye(Y.shape[1]), "state": state, "moved": 0.0}
    carry, trace = jax.lax.scan(lambda carry, _: step(carry, Y, O, X), carry, length=length)
    return carry["params"], carry["moved"], trace


def fit(Y, O, X, n_iterations):
    return run(Y, O, X, n_iterations)
