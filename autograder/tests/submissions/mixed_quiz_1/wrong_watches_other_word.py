# wrong: a word that is not offered; exercise: mixed_quiz_1_watches; must fail: outputs; says: watch_d
answers = {"watch_a": "two runs", "watch_b": "start", "watch_c": "compiling", "watch_d": "a run"}
