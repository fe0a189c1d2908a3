# empty: nothing; exercise: mixed_quiz_2_six; must fail: outputs; says: no function `answers`
