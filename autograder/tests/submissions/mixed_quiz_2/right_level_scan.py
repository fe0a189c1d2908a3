# right: a scan over the sites; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    def add(carry, y):
        s, k = carry
        there = y > 0
        return (s + jnp.where(there, jnp.log(jnp.where(there, y, 1.0)), 0.0), k + there), None

    (s, k), _ = jax.lax.scan(add, (0.0, 0), counts)
    return jnp.where(k > 0, s / jnp.maximum(k, 1), 0.0)
