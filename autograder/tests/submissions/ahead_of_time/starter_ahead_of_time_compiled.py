# starter: as shipped; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
