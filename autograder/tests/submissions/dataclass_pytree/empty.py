# empty: nothing in the cell; exercise: dataclass_pytree; must fail: outputs; says: There is no function
