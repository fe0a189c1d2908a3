# starter: as shipped; exercise: recompile_hunt_calls; must fail: compilations; says: build arrays with a dtype
