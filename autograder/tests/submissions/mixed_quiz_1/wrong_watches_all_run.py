# wrong: they all measure a run; exercise: mixed_quiz_1_watches; must fail: outputs; says: not waited for
answers = dict.fromkeys(["watch_a", "watch_b", "watch_c", "watch_d"], "one run")
