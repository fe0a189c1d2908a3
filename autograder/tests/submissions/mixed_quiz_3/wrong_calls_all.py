# wrong: every call; exercise: mixed_quiz_3_calls; must fail: outputs; says: other_values
answers = dict.fromkeys(
    [
        "other_values",
        "numpy",
        "fewer_sites",
        "by_name",
        "first_again",
        "integers",
        "filled",
        "lowered",
    ],
    True,
)
