# empty: nothing in the cell; exercise: static_branch; must fail: outputs; says: There is no function
