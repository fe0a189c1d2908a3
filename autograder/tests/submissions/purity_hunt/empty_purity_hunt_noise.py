# empty: nothing in the cell; exercise: purity_hunt_noise; must fail: outputs; says: There is no function
