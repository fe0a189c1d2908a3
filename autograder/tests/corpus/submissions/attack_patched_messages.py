# attack: explanations that are no text; exercise: static_reshape; must not gain: outputs
import autograder.core.jax_errors

autograder.core.jax_errors.explain_error = lambda error: ("passed", None)


def rank_abundance(counts):
    raise ValueError("no")
