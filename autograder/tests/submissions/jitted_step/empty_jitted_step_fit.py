# empty: nothing in the cell; exercise: jitted_step_fit; must fail: outputs; says: There is no function
