# starter: as shipped; exercise: timing; must fail: outputs; says: were never waited for
