# empty: nothing; exercise: ahead_of_time; must fail: outputs; says: no function `poisson_fit`
