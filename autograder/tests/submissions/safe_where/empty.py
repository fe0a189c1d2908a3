# empty: nothing in the cell; exercise: safe_where; must fail: outputs; says: There is no function
