# starter: as shipped; exercise: slow_compile; must fail: compilations; says: compiled
