# empty: nothing in the cell; exercise: traced_branch_switch; must fail: outputs; says: There is no function
