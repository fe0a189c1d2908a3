# starter: no answer yet; exercise: mixed_quiz_1_watches; must fail: outputs; says: has no answer yet
