# starter: as shipped; exercise: recompile_hunt; must fail: compilations; says: pad to a few sizes
