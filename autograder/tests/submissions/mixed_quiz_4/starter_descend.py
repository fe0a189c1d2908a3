# starter: as shipped; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
