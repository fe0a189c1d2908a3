# starter: as shipped; exercise: mixed_quiz_4_grown; must fail: outputs; says: everse-mode differentiation
