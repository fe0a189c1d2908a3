# starter: as shipped; exercise: mixed_quiz_2_axis; must fail: outputs; says: must have equal types
