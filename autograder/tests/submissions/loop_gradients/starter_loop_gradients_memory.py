# starter: as shipped; exercise: loop_gradients_memory; must fail: memory; says: needs
