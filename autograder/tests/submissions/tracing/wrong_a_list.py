# wrong: a list in place of the dictionary; exercise: tracing; must fail: outputs; says: is a list, not a dictionary of answers
answers = [3, 1, 2, 2, "tracer"]
