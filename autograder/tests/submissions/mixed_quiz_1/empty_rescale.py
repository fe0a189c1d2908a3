# empty: nothing; exercise: mixed_quiz_1_rescale; must fail: outputs, purity, compilations; says: no function `rescale`
