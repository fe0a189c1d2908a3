# starter: as shipped; exercise: ahead_of_time; must fail: outputs; says: A plain Python number is needed here
