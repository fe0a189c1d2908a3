# empty: nothing in the cell; exercise: data_sizes_groups; must fail: outputs; says: There is no function
