# wrong: takes lowering for nothing; exercise: mixed_quiz_3_calls; must fail: outputs; says: lowered
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": True,
}
