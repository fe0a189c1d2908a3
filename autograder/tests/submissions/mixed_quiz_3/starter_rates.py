# starter: as shipped; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected
