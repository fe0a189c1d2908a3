# empty: nothing; exercise: mixed_quiz_2_level; must fail: outputs, purity, compilations; says: no function `level_where_found`
