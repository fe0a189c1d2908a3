# starter: as shipped; exercise: early_stop; must fail: outputs; says: TracerBoolConversionError
