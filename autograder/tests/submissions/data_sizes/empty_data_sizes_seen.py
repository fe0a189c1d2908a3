# empty: nothing in the cell; exercise: data_sizes_seen; must fail: outputs; says: There is no function
