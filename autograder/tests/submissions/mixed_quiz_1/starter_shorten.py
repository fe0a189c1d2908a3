# starter: as shipped; exercise: mixed_quiz_1_shorten; must fail: outputs; says: if
