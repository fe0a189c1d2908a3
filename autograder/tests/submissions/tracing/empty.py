# empty: nothing; exercise: tracing; must fail: outputs; says: no function `answers`
