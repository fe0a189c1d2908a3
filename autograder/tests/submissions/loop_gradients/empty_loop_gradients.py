# empty: nothing in the cell; exercise: loop_gradients; must fail: outputs; says: There is no function
