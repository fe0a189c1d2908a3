# starter: as shipped; exercise: mixed_quiz_1_effort; must fail: outputs; says: static
