# starter: no answer yet; exercise: tracing; must fail: outputs; says: has no answer yet
