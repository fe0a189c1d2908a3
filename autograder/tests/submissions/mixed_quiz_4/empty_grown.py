# empty: nothing; exercise: mixed_quiz_4_grown; must fail: outputs, purity, compilations; says: no function `grown`
