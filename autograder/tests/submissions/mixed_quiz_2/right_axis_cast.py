# right: cast where it is used; exercise: mixed_quiz_2_axis
def first_axis(p):
    return jnp.eye(p, dtype=int)[0]


@partial(jax.jit, static_argnums=1)
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis * jax.lax.rsqrt(jnp.vdot(axis, axis)), None

    return jax.lax.scan(turn, first_axis(len(Sigma)).astype(float), None, length=turns)[0]
