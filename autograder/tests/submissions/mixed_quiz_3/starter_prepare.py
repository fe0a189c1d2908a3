# starter: as shipped; exercise: mixed_quiz_3_prepare; must fail: compilations; says: options
