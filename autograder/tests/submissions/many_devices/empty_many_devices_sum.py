# empty: nothing; exercise: many_devices_sum; must fail: outputs; says: no function `log_likelihood`
