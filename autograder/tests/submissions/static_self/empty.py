# empty: nothing in the cell; exercise: static_self; must fail: outputs; says: There is no
