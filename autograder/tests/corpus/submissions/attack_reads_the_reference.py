# attack: the rubric's reference through a callback; exercise: static_reshape; must not gain: outputs; says: No module named
from autograder.rubrics.static_reshape import rubric

right = rubric.exercises[0].reference


@jax.jit
def rank_abundance(counts):
    flat = jax.ShapeDtypeStruct((counts.size,), counts.dtype)
    return jax.pure_callback(right, flat, counts)
