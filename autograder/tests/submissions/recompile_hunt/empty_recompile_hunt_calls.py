# empty: nothing; exercise: recompile_hunt_calls; must fail: outputs; says: no function `anneal`
