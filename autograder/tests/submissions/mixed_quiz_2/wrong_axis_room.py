# wrong: room for the taxa of the oaks; exercise: mixed_quiz_2_axis; must fail: outputs; says: different sizes
from functools import partial


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    p = len(Sigma)
    room = jnp.zeros((114, 114)).at[:p, :p].set(Sigma)

    def body(axis, _):
        axis = room @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    return jax.lax.scan(body, jnp.eye(114)[0], length=turns)[0][:p]
