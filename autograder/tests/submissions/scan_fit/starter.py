# starter: as shipped; exercise: scan_fit; must fail: outputs; says: Start with strong dtypes
