# wrong: True and False; exercise: mixed_quiz_2_six; must fail: outputs; says: first_half
answers = {
    "first_half": True,
    "up_to_largest": False,
    "in_pairs": True,
    "in_one_row": False,
    "halved_until_small": False,
    "folded_until_one": True,
}
