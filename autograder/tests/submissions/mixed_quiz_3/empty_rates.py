# empty: nothing; exercise: mixed_quiz_3_rates; must fail: outputs; says: no function `Rates`
