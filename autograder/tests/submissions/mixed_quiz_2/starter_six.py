# starter: no answer yet; exercise: mixed_quiz_2_six; must fail: outputs; says: has no answer yet
