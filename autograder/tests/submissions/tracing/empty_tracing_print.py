# empty: nothing; exercise: tracing_print; must fail: outputs, purity, compilations; says: no function `error_and_largest`
