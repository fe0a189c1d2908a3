# starter: as shipped; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: expected
