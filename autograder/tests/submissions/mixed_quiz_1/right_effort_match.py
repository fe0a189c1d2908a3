# right: a match statement and getattr; exercise: mixed_quiz_1_effort
import functools


@functools.partial(jax.jit, static_argnames=("scheme",))
def log_effort(counts, scheme):
    match scheme:
        case "total":
            effort = jnp.einsum("np->n", counts)
        case _:
            effort = counts.max(-1)
    return jnp.log(effort)
