# wrong: room for the taxa of the oaks; exercise: mixed_quiz_1_effort; must fail: outputs; says: different sizes
from functools import partial


@partial(jax.jit, static_argnames="scheme")
def log_effort(counts, scheme):
    n, p = counts.shape
    room = jnp.zeros((n, 114)).at[:, :p].set(counts)
    return jnp.log(room.sum(axis=1) if scheme == "total" else room.max(axis=1))
