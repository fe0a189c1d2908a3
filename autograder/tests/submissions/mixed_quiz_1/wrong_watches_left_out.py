# wrong: one is left out; exercise: mixed_quiz_1_watches; must fail: outputs; says: watch_c
answers = {"watch_a": "two runs", "watch_b": "start", "watch_d": "one run"}
