# empty: nothing in the cell; exercise: jitted_step; must fail: outputs; says: There is no function
