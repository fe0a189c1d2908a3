# empty: nothing; exercise: timing; must fail: outputs; says: no function `time_call`
