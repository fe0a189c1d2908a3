# starter: as shipped; exercise: debugging; must fail: outputs; says: nobody learns that it is wrong
