# wrong: takes each Python loop for an error; exercise: mixed_quiz_2_six; must fail: outputs; says: folded_until_one
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "in_pairs": "works",
    "in_one_row": "error",
    "halved_until_small": "error",
    "folded_until_one": "error",
}
