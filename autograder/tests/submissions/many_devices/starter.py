# starter: as shipped; exercise: many_devices; must fail: compilations; says: `B` went into call 1 on one device
