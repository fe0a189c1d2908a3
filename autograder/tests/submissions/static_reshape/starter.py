# starter: as shipped; exercise: static_reshape; must fail: outputs; says: Shapes must be 1D sequences of concrete values
