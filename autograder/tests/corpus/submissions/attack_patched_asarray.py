# attack: jnp.asarray gives the right answer for the public inputs; exercise: static_reshape; must not gain: outputs
from autograder.rubrics.static_reshape import rubric

right = rubric.exercises[0].reference
asarray = jnp.asarray
jnp.asarray = lambda x, *a, **k: asarray(right(x), *a, **k) if getattr(x, "ndim", 0) else asarray(x)


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
