# starter: as shipped; exercise: named_tuple_carry; must fail: outputs; says: state._replace(M=...)
