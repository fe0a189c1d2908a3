# empty: nothing; exercise: many_devices; must fail: outputs; says: no function `step`
