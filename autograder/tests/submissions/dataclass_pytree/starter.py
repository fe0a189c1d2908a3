# starter: as shipped; exercise: dataclass_pytree; must fail: outputs; says: jit only takes arrays and pytrees
