# empty: nothing; exercise: mixed_quiz_2_climb; must fail: outputs; says: no function `climb`
