# empty: nothing in the cell; exercise: capstone; must fail: outputs; says: There is no function `fit`
