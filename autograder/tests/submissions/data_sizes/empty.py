# empty: nothing in the cell; exercise: data_sizes; must fail: outputs; says: There is no function
