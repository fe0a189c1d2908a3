# empty: nothing in the cell; exercise: named_tuple_carry; must fail: outputs; says: There is no function
