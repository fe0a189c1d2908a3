# empty: nothing; exercise: mixed_quiz_3_prepare; must fail: outputs, purity, compilations; says: no function `prepare`
