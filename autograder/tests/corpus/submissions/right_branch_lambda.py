# right: a lambda; exercise: static_branch
box_cox = jax.jit(
    lambda counts, power: jnp.log1p(counts) if power == 0 else ((1 + counts) ** power - 1) / power,
    static_argnums=1,
)
