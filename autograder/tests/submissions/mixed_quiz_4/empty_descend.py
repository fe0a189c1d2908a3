# empty: nothing; exercise: mixed_quiz_4_descend; must fail: outputs; says: no function `descend`
