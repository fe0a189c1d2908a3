# starter: no answer yet; exercise: mixed_quiz_3_calls; must fail: outputs; says: has no answer yet
