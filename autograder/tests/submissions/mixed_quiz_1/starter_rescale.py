# starter: as shipped; exercise: mixed_quiz_1_rescale; must fail: outputs; says: tracer
