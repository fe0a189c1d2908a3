# starter: as shipped; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete
