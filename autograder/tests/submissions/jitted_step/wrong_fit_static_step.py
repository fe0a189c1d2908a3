# wrong: a step compiled for each iteration; exercise: jitted_step_fit; must fail: compilations; says: static value is part of the program
from functools import partial


@partial(jax.jit, static_argnums=0)
def numbered_step(i, *arguments):
    return step(*arguments)


def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = numbered_step(i, params, Omega, state, Y, O, X)
        trace = trace.at[i].set(value)
    return params, trace
