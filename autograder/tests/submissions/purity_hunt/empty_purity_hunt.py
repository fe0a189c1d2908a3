# empty: nothing in the cell; exercise: purity_hunt; must fail: outputs; says: There is no function
