# wrong: the setting is dropped; exercise: dataclass_pytree; must fail: outputs; says: comes back with
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

    def __post_init__(self):
        object.__setattr__(self, "covariance", "full")


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
