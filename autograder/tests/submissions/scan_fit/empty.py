# empty: nothing in the cell; exercise: scan_fit; must fail: outputs; says: There is no function
