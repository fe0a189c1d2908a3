# empty: nothing in the cell; exercise: debugging_nan; must fail: outputs; says: There is no function
