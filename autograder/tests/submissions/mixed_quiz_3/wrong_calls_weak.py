# wrong: NumPy compiles, weak types do not; exercise: mixed_quiz_3_calls; must fail: outputs; says: numpy
answers = {
    "other_values": False,
    "numpy": True,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": False,
    "lowered": False,
}
