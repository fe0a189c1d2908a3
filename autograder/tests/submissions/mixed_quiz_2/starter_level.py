# starter: as shipped; exercise: mixed_quiz_2_level; must fail: outputs; says: bool
