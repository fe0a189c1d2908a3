# empty: nothing in the cell; exercise: loop_gradients_memory; must fail: outputs; says: There is no function
