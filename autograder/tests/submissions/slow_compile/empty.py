# empty: nothing in the cell; exercise: slow_compile; must fail: outputs; says: There is no
