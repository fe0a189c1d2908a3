# empty: nothing in the cell; exercise: capstone_many; must fail: outputs; says: There is no function `fit_many`
