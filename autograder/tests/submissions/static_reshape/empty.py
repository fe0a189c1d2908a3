# empty: nothing in the cell; exercise: static_reshape; must fail: outputs; says: There is no function
