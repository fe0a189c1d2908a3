# wrong: by name is the same; exercise: mixed_quiz_3_calls; must fail: outputs; says: by_name
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": False,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": False,
}
