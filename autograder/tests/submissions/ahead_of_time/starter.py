# starter: as shipped; exercise: ahead_of_time; must fail: outputs; says: make the argument static
