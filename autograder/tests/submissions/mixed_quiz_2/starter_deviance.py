# starter: as shipped; exercise: mixed_quiz_2_deviance; must fail: outputs; says: nan
