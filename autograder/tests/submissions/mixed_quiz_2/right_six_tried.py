# right: runs them; exercise: mixed_quiz_2_six
answers = {}
for function in (
    first_half,
    up_to_largest,
    in_pairs,
    in_one_row,
    halved_until_small,
    folded_until_one,
):
    try:
        jax.jit(function)(jnp.arange(8.0))
        answers[function.__name__] = "works"
    except Exception:
        answers[function.__name__] = "error"
