# wrong: two numbers that looked right; exercise: timing; must fail: outputs; says: not called at all
def time_call(function, *arguments):
    return 0.12, 0.01
