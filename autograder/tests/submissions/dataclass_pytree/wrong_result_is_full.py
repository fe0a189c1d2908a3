# wrong: the fitted model is made anew, and its covariance is the default; exercise: dataclass_pytree; must fail: outputs; says: as its `covariance`
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
    covariance: str = field(default="full", metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        B, M, log_S, Omega, state = carry
        now = replace(pln, B=B, M=M, log_S=log_S, Omega=Omega)
        value, gradient = jax.value_and_grad(loss)((B, M, log_S), now)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates((B, M, log_S), updates)
        Omega = best_Omega(replace(now, B=B, M=M, log_S=log_S))
        return (B, M, log_S, Omega, state), -value

    free = pln.B, pln.M, pln.log_S
    carry = (*free, pln.Omega, optimizer.init(free))
    (B, M, log_S, Omega, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    data = {"Y": pln.Y, "O": pln.O, "X": pln.X, "rate": pln.rate}
    return PLN(**data, B=B, M=M, log_S=log_S, Omega=Omega), trace
