# empty: nothing; exercise: mixed_quiz_4_five; must fail: outputs; says: no function `answers`
