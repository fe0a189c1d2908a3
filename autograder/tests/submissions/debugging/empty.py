# empty: nothing in the cell; exercise: debugging; must fail: outputs; says: There is no function
