# right: already a scan; exercise: jitted_step_fit
@jax.jit(static_argnames="n_iterations")
def fit(params, Y, O, X, n_iterations):
    def body(carry, _):
        *carry, value = step(*carry, Y, O, X)
        return tuple(carry), value

    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params)
    (params, _, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, trace
