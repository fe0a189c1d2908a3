# empty: nothing; exercise: mixed_quiz_3_gaussian; must fail: outputs, purity, compilations; says: no function `expected_counts`
