# starter: as shipped; exercise: ahead_of_time_compiled; must fail: compilations; says: what `.compile()` gave is thrown away
