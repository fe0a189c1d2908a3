# attack: the worker's rubric asks for nothing and knows another answer; exercise: static_reshape; must not gain: outputs
import autograder.model.rubric
from autograder.rubrics import static_reshape

exercise = static_reshape.rubric.exercises[0]
object.__setattr__(exercise, "points", {"outputs": 4})
object.__setattr__(exercise, "reference", lambda counts: counts)
object.__setattr__(exercise, "draws", lambda rng: [])
autograder.model.rubric.PUBLIC_KEY = 20250108


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
