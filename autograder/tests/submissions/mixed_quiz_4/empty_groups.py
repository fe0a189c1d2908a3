# empty: nothing; exercise: mixed_quiz_4_groups; must fail: outputs, purity, compilations; says: no function `group_effects`
