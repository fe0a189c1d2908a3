# wrong: each fit begins from zero, whatever B, M, log_S and Omega the model has; exercise: dataclass_pytree; must fail: outputs; says: expected
@register_dataclass
@dataclass(frozen=True)
class PLN:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit(pln, n_iterations):
    optimizer = optax.adam(pln.rate)
    (n, p), d = pln.Y.shape, pln.X.shape[1]
    pln = replace(pln, B=jnp.zeros((d, p)), M=jnp.zeros((n, p)), log_S=jnp.zeros((n, p)))
    pln = replace(pln, Omega=jnp.eye(p))

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace
