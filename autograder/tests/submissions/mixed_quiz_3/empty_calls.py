# empty: nothing; exercise: mixed_quiz_3_calls; must fail: outputs; says: no function `answers`
