# empty: nothing; exercise: mixed_quiz_2_axis; must fail: outputs, purity, compilations; says: no function `principal_axis`
