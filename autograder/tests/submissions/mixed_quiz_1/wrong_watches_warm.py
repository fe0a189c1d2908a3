# wrong: takes the first call for a warm-up; exercise: mixed_quiz_1_watches; must fail: outputs; says: watch_a
answers = {"watch_a": "one run", "watch_b": "start", "watch_c": "compiling", "watch_d": "one run"}
