# starter: as shipped; exercise: static_branch; must fail: outputs; says: TracerBoolConversionError
