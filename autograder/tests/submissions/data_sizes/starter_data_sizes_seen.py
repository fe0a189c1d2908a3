# starter: as shipped; exercise: data_sizes_seen; must fail: outputs; says: must be known when compiling
