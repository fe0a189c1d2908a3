# starter: formats a tracer; exercise: tracing_print; must fail: outputs; says: print it outside of the jitted function
