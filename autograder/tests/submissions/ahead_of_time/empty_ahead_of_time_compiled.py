# empty: nothing; exercise: ahead_of_time_compiled; must fail: outputs; says: no function `compile_fit`
