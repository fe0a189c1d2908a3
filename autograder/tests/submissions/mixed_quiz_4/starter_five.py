# starter: no answer yet; exercise: mixed_quiz_4_five; must fail: outputs; says: has no answer yet
