# starter: as shipped; exercise: loop_gradients; must fail: outputs; says: its derivative does not need the loop
