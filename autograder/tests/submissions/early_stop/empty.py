# empty: nothing in the cell; exercise: early_stop; must fail: outputs; says: There is no function
