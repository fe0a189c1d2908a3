# right: the trace in NumPy: waits at every step; exercise: jitted_step_fit
import numpy as np


def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = np.zeros(n_iterations, np.float32)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        trace[i] = value
    return params, trace
