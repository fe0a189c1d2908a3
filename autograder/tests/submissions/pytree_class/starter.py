# starter: as shipped; exercise: pytree_class; must fail: outputs; says: arrays into the aux data: Y, O, X
