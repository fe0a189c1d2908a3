# empty: nothing; exercise: recompile_hunt; must fail: outputs; says: no function `abundance_summary`
