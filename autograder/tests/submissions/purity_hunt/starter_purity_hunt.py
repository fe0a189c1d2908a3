# starter: as shipped; exercise: purity_hunt; must fail: outputs; says: UnexpectedTracerError
