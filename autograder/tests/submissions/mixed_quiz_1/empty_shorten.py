# empty: nothing; exercise: mixed_quiz_1_shorten; must fail: outputs, purity, compilations; says: no function `shorten`
