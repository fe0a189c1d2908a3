# starter: as shipped; exercise: traced_branch; must fail: outputs; says: TracerBoolConversionError
