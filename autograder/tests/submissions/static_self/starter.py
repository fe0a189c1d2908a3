# starter: as shipped; exercise: static_self; must fail: outputs; says: still gives
