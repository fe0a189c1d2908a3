# empty: nothing; exercise: mixed_quiz_1_effort; must fail: outputs, purity, compilations; says: no function `log_effort`
