# empty: nothing in the cell; exercise: purity_hunt_donation; must fail: outputs; says: There is no function
