# starter: as shipped; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
