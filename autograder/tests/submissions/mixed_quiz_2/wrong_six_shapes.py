# wrong: takes jnp.prod of a shape for a number; exercise: mixed_quiz_2_six; must fail: outputs; says: in_one_row
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "in_pairs": "works",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "works",
}
