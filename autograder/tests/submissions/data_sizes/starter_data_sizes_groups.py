# starter: as shipped; exercise: data_sizes_groups; must fail: outputs; says: Array boolean indices must be concrete
