# empty: nothing in the cell; exercise: traced_branch; must fail: outputs; says: There is no function
