# starter: as shipped; exercise: debugging_nan; must fail: outputs; says: nobody learns that it is wrong
