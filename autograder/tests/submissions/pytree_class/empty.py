# empty: nothing in the cell; exercise: pytree_class; must fail: outputs; says: There is no function `PLN`
