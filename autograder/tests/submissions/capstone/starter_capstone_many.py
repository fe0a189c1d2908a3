# starter: as shipped; exercise: capstone_many; must fail: outputs; says: vmap was requested to map its argument along axis 0
