# starter: as shipped; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
