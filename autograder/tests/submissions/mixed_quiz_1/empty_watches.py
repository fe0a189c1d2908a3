# empty: nothing; exercise: mixed_quiz_1_watches; must fail: outputs; says: no function `answers`
