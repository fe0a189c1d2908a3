# starter: as shipped; exercise: traced_branch_switch; must fail: outputs; says: TracerBoolConversionError
