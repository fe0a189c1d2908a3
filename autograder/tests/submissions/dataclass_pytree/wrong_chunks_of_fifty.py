# wrong: a scan for each chunk of fifty iterations; exercise: dataclass_pytree; must fail: compilations; says: grows
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
    traces = []
    for first in range(0, n_iterations, 50):
        carry, elbos = jax.lax.scan(body, carry, length=min(50, n_iterations - first))
        traces.append(elbos)
    return carry[0], jnp.concatenate(traces)
