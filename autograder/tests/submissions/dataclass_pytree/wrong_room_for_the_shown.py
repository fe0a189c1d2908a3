# wrong: room for the 200 iterations of the notebook; exercise: dataclass_pytree; must fail: outputs; says: fit
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

    def body(carry, i):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega(pln))
        new = pln, state
        return jax.tree.map(lambda a, b: jnp.where(i < n_iterations, a, b), new, carry), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, jnp.arange(200))
    return pln, elbos[:n_iterations]
