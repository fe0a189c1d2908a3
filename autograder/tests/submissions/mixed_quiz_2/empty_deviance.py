# empty: nothing; exercise: mixed_quiz_2_deviance; must fail: outputs, purity, compilations; says: no function `deviance`
