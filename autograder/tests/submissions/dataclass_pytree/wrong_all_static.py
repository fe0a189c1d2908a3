# wrong: every field is static; exercise: dataclass_pytree; must fail: outputs; says: `Omega`, `rate`: static in your `PLN`. What is
@register_dataclass
@dataclass(frozen=True)
class PLN:
    Y: jax.Array = field(metadata={"static": True})
    O: jax.Array = field(metadata={"static": True})
    X: jax.Array = field(metadata={"static": True})
    B: jax.Array = field(metadata={"static": True})
    M: jax.Array = field(metadata={"static": True})
    log_S: jax.Array = field(metadata={"static": True})
    Omega: jax.Array = field(metadata={"static": True})
    rate: jax.Array = field(metadata={"static": True})
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
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace
