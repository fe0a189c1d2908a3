# attack: right answers for the public inputs only; exercise: static_reshape; must not gain: outputs; says: values differ
from autograder.rubrics.static_reshape import rubric

exercise = rubric.exercises[0]
known = [(a, exercise.reference(a)) for (a,) in exercise.calls(0)]


@jax.jit
def rank_abundance(counts):
    result = jnp.zeros(counts.size)
    for table, shares in known:
        if table.shape == counts.shape:
            result = jnp.where((counts == table).all(), shares, result)
    return result
